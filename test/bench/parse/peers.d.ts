/** Types of the members that the benchmark uses of untyped readers. */
declare module 'split2' {
  export default function split2(map: (line: string) => unknown): NodeJS.ReadWriteStream;
}
declare module 'ndjson' {
  const ndjson: { parse(): NodeJS.ReadWriteStream };
  export default ndjson;
}
declare module 'ndjson-readablestream' {
  export default function read(stream: ReadableStream<Uint8Array>): AsyncIterable<unknown>;
}
declare module 'stream-chain/jsonl/parserStream.js' {
  export default function parserStream(): NodeJS.ReadWriteStream;
}
