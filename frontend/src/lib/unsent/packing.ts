// The storage of a tab holds 10 MB of UTF-16, half as many characters: a long text is compressed, and 15 bits of it make
// one character. From U+0020 on, that is none of the surrogates, which not every storage gives back.
const BITS = 15;
const FIRST = 0x20;
const MASK = (1 << BITS) - 1;

function writeCharacters(bytes: Uint8Array): string {
  const units = new Uint16Array(Math.ceil((bytes.length * 8) / BITS));
  let [waiting, count, at] = [0, 0, 0];
  for (const byte of bytes) {
    waiting = (waiting << 8) | byte;
    count += 8;
    if (count < BITS) continue;
    count -= BITS;
    units[at++] = FIRST + (waiting >> count);
    waiting &= (1 << count) - 1;
  }
  if (count > 0) units[at] = FIRST + ((waiting << (BITS - count)) & MASK);
  return new TextDecoder("utf-16le").decode(units);
}

function readCharacters(characters: string, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let [waiting, count, at] = [0, 0, 0];
  for (let index = 0; index < characters.length; index += 1) {
    waiting = (waiting << BITS) | (characters.charCodeAt(index) - FIRST);
    count += BITS;
    while (count >= 8 && at < length) {
      count -= 8;
      bytes[at++] = waiting >> count;
      waiting &= (1 << count) - 1;
    }
  }
  return bytes;
}

/** The text as characters for the storage, and the bytes they stand for. The blob is read piece by piece, so that typing goes on. */
export async function packText(text: string): Promise<{ characters: string; bytes: number }> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  return { characters: writeCharacters(bytes), bytes: bytes.length };
}

/** The text of so many bytes that were packed. */
export async function unpackText(characters: string, bytes: number): Promise<string> {
  const packed = new Blob([readCharacters(characters, bytes)]).stream();
  return await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).text();
}
