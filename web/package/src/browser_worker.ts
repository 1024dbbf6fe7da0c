// The worker of a page.

import { serve } from "./worker";

const scope = self as unknown as {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
};
const answer = serve((reply, transfer) => scope.postMessage(reply, transfer));
scope.onmessage = (event) => void answer(event.data);
