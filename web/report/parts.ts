// The data of the page: script elements with base64 of gzip, by the name in data-part.

// Of browsers since 2023; the types of TypeScript 4.8 do not have it.
declare const DecompressionStream: new (format: string) => GenericTransformStream;

function bytesOfBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let k = 0; k < binary.length; ++k) bytes[k] = binary.charCodeAt(k);
  return bytes;
}

export async function gunzip(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The bytes of a part; null when the report does not have it. */
export async function partBytes(name: string): Promise<Uint8Array | null> {
  const element = document.querySelector(`script[data-part="${name}"]`);
  if (!element) return null;
  return gunzip(bytesOfBase64(element.textContent ?? ""));
}

export async function partText(name: string): Promise<string | null> {
  const bytes = await partBytes(name);
  return bytes && new TextDecoder().decode(bytes);
}

export async function partJson<T>(name: string): Promise<T | null> {
  const text = await partText(name);
  return text === null ? null : (JSON.parse(text) as T);
}
