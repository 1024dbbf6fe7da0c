// The worker of node.

import { parentPort } from "node:worker_threads";
import { serve } from "./worker";

if (!parentPort) throw new Error("this file is for a worker");
const port = parentPort;
const answer = serve((reply, transfer) => port.postMessage(reply, transfer));
port.on("message", (call) => void answer(call));
