// What repeats in a short text, and what of it stands in a dictionary. zlib looks through a dictionary anew
// for each text, which takes it longer than the text itself: here that is done once.

/** Of longer ones zlib is quicker, which has little to do with its dictionary there. */
export const textBytesMax = 5 * 1024;
/** All of it is within reach of a match, from the end of a text. */
const dictionaryBytesMax = 24 * 1024;
export const matchMax = 258;

/** Bytes that are looked up at once, and so the shortest match. */
const keyBytes = 4;
/** Of the places where keys were seen: so few that the processor has the tables at hand. */
const knownBits = 14;
const seenBits = 13;
/** As short a match from farther away takes about as many bits as its bytes do. */
const nearBytes = 1_024;
/** A match of so many bytes is good enough: no longer one is looked for. */
const goodBytes = 32;

/** How much is done for a text. */
interface Effort {
  /** Places of a key that are tried. */
  readonly triesInText: number;
  readonly triesInDictionary: number;
  /** A match below so many bytes gives way to a longer one that begins a byte later. */
  readonly lazyBytes: number;
  /** So many bytes of a match are remembered: what repeats is mostly found by its beginning. */
  readonly rememberedBytes: number;
}

/** Above, as little is done as takes no longer than zlib. */
const thoroughBytesMax = 3 * 1024;
const thorough: Effort = {
  triesInText: 3,
  triesInDictionary: 8,
  lazyBytes: goodBytes,
  rememberedBytes: matchMax,
};
const quick: Effort = { triesInText: 2, triesInDictionary: 4, lazyBytes: 0, rememberedBytes: 16 };

/** A text as bytes and matches: below 256 a byte, else a match. */
export interface Tokens {
  readonly list: Int32Array;
  readonly count: number;
}

export const tokenOf = {
  match: (length: number, distance: number): number => (length << 15) | (distance - 1),
  length: (token: number): number => token >> 15,
  distance: (token: number): number => (token & 0x7fff) + 1,
};

/** Finds matches in texts, one after the other. */
export class TextMatches {
  readonly #room: Buffer;
  /** The same bytes: four of them are read at once by it. */
  readonly #view: DataView;
  readonly #start: number;
  readonly #tokens = new Int32Array(textBytesMax);
  /** Where a key was last seen in the dictionary, and for each place where it was before. */
  readonly #known = new Int16Array(2 ** knownBits).fill(-1);
  readonly #knownBefore: Int16Array;
  /** The same of the text, counted from its beginning. */
  readonly #seen = new Int16Array(2 ** seenBits);
  readonly #seenBefore = new Int16Array(textBytesMax + 1);
  #end: number;
  #foundAt = 0;
  #effort = thorough as Effort;

  constructor(dictionary: Uint8Array) {
    if (dictionary.byteLength > dictionaryBytesMax) throw new Error('A dictionary is out of reach.');
    this.#start = dictionary.byteLength;
    this.#end = this.#start;
    this.#room = Buffer.alloc(this.#start + 3 * textBytesMax + keyBytes);
    this.#room.set(dictionary);
    this.#view = new DataView(this.#room.buffer, this.#room.byteOffset, this.#room.byteLength);
    this.#knownBefore = new Int16Array(this.#start);
    for (let at = 0; at + keyBytes <= this.#start; at += 1) {
      const key = this.#keyAt(at) >>> (32 - knownBits);
      this.#knownBefore[at] = this.#known[key] as number;
      this.#known[key] = at;
    }
  }

  /** Takes a text apart, and answers its tokens until the next one; null where it is too long. */
  tokensOf(texts: readonly string[]): Tokens | null {
    if (!this.#take(texts)) return null;
    const [list, end] = [this.#tokens, this.#end];
    this.#effort = this.byteLength > thoroughBytesMax ? quick : thorough;
    const { lazyBytes, rememberedBytes } = this.#effort;
    let count = 0;
    let at = this.#start;
    while (at < end) {
      let length = this.#find(at);
      if (length === 0) {
        list[count++] = this.#room[at++] as number;
        continue;
      }
      let from = this.#foundAt;
      // A longer one may begin a byte later.
      while (length < lazyBytes) {
        const next = this.#find(at + 1);
        if (next <= length) break;
        list[count++] = this.#room[at++] as number;
        length = next;
        from = this.#foundAt;
      }
      list[count++] = tokenOf.match(length, at - from);
      // Of the first two bytes a find has told already.
      this.#add(at + (length < lazyBytes ? 2 : 1), at + Math.min(length, rememberedBytes));
      at += length;
    }
    return { list, count };
  }

  /** The bytes of the text that was taken last. */
  get byteLength(): number {
    return this.#end - this.#start;
  }

  #take(texts: readonly string[]): boolean {
    this.#seen.fill(-1);
    this.#end = this.#start;
    for (const text of texts) {
      if (this.byteLength + text.length > textBytesMax) return false;
      this.#end += this.#room.write(text, this.#end);
    }
    if (this.byteLength > textBytesMax) return false;
    this.#room.fill(0, this.#end, this.#end + keyBytes);
    return true;
  }

  #keyAt(at: number): number {
    return Math.imul(this.#view.getInt32(at, true), 0x9e37_79b1);
  }

  /** The length of the longest match with what stands before; `#foundAt` is where that begins. */
  #find(at: number): number {
    const [room, start, seenBefore] = [this.#room, this.#start, this.#seenBefore];
    const { triesInText, triesInDictionary } = this.#effort;
    const key = this.#keyAt(at);
    const seenKey = key >>> (32 - seenBits);
    const most = Math.min(matchMax, this.#end - at);
    let best = keyBytes - 1;
    const last = this.#seen[seenKey] as number;
    seenBefore[at - start] = last;
    this.#seen[seenKey] = at - start;
    for (let place = last, tries = triesInText; place >= 0 && tries > 0; tries -= 1) {
      const before = place + start;
      if (room[before + best] === room[at + best]) best = this.#better(at, before, most, best);
      place = seenBefore[place] as number;
    }
    if (best < goodBytes) {
      const knownBefore = this.#knownBefore;
      let before = this.#known[key >>> (32 - knownBits)] as number;
      for (let tries = triesInDictionary; before >= 0 && tries > 0; tries -= 1) {
        if (room[before + best] === room[at + best]) best = this.#better(at, before, most, best);
        before = knownBefore[before] as number;
      }
    }
    return best < keyBytes ? 0 : best;
  }

  /** `best`, or the length of the match where that is longer and worth its bits. */
  #better(at: number, before: number, most: number, best: number): number {
    const [room, view] = [this.#room, this.#view];
    if (view.getInt32(before) !== view.getInt32(at)) return best;
    let length = keyBytes;
    while (length + 4 <= most && view.getInt32(before + length) === view.getInt32(at + length)) length += 4;
    while (length < most && room[before + length] === room[at + length]) length += 1;
    length = Math.min(length, most);
    if (length <= best || (length === keyBytes && at - before > nearBytes)) return best;
    this.#foundAt = before;
    return length;
  }

  #add(from: number, to: number): void {
    const [view, seen, seenBefore, start] = [this.#view, this.#seen, this.#seenBefore, this.#start];
    for (let at = from; at < to; at += 1) {
      const key = Math.imul(view.getInt32(at, true), 0x9e37_79b1) >>> (32 - seenBits);
      seenBefore[at - start] = seen[key] as number;
      seen[key] = at - start;
    }
  }
}
