/** The checksum of gzip and PNG: finds every single flipped bit and nearly everything else. */
let tables: ReturnType<typeof makeTables> | undefined;

/** Four tables, so that four bytes are taken at a step. */
function makeTables(): [Uint32Array, Uint32Array, Uint32Array, Uint32Array] {
  const [a, b, c, d] = [new Uint32Array(256), new Uint32Array(256), new Uint32Array(256), new Uint32Array(256)];
  for (let byte = 0; byte < 256; byte += 1) {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
    a[byte] = value;
  }
  const next = (value: number): number => (value >>> 8) ^ a[value & 255]!;
  for (let byte = 0; byte < 256; byte += 1) {
    b[byte] = next(a[byte]!);
    c[byte] = next(b[byte]!);
    d[byte] = next(c[byte]!);
  }
  return [a, b, c, d];
}

/** @returns the CRC-32 of the bytes, as an unsigned number */
export function crc32(bytes: Uint8Array): number {
  const [a, b, c, d] = (tables ??= makeTables());
  let crc = -1;
  let at = 0;
  for (const end = bytes.length - 3; at < end; at += 4) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc = d[crc & 255]! ^ c[(crc >>> 8) & 255]! ^ b[(crc >>> 16) & 255]! ^ a[crc >>> 24]!;
  }
  for (; at < bytes.length; at += 1) crc = (crc >>> 8) ^ a[(crc ^ bytes[at]!) & 255]!;
  return ~crc >>> 0;
}
