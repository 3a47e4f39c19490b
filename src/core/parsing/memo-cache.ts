// A bounded cache by text (file names, messages, users). It pauses while the hit rate is low.

/** `undefined` is not cached. */
export interface MemoCache<Answer> {
  find(text: string): Answer | undefined;
  /** False if `keep` would not store this text; saves copying the answer. */
  keeps(text: string): boolean;
  /** The answer must not reference a part of a longer text (see `copyText`). */
  keep(text: string, answer: Answer): Answer;
}

interface CacheLimits {
  readonly textsMax: number;
  readonly charactersMax: number;
}

/** Lookups per check of the hit rate. */
const lookedAt = 2048;
/** Hits needed to continue. */
const worthwhile = lookedAt / 16;
/** Lookups that skip the cache after a low hit rate. */
const restingFor = 32 * lookedAt;

/** Two generations: when the young one is full the old one is dropped, except for what was used since. */
export function createMemoCache<Answer>({ textsMax, charactersMax }: CacheLimits): MemoCache<Answer> {
  let young = new Map<string, Answer>();
  let old = new Map<string, Answer>();
  let [lookups, hits, resting] = [0, 0, 0];

  const put = (text: string, answer: Answer): void => {
    if (young.size * 2 >= textsMax) {
      old = young;
      young = new Map();
    }
    young.set(text, answer);
  };
  const keeps = (text: string): boolean => resting === 0 && text.length <= charactersMax;
  const lookBehind = (): void => {
    if (hits < worthwhile) {
      resting = restingFor;
      young = new Map();
      old = new Map();
    }
    lookups = 0;
    hits = 0;
  };
  return {
    find(text) {
      if (text.length > charactersMax) return undefined;
      if (resting > 0) {
        resting -= 1;
        return undefined;
      }
      lookups += 1;
      if (lookups > lookedAt) lookBehind();
      const answer = young.get(text);
      if (answer !== undefined) {
        hits += 1;
        return answer;
      }
      const older = old.get(text);
      if (older === undefined) return undefined;
      hits += 1;
      put(copyText(text), older);
      return older;
    },
    keeps,
    keep(text, answer) {
      if (keeps(text)) put(copyText(text), answer);
      return answer;
    },
  };
}

export function memoize<Answer>(
  answerOf: (text: string) => Answer,
  room: CacheLimits,
): (text: string) => Answer {
  const answers = createMemoCache<Answer>(room);
  return (text) => {
    const known = answers.find(text);
    return known === undefined ? answers.keep(text, answerOf(text)) : known;
  };
}

/** Copies a text: V8 keeps substrings as views, so 20 characters would keep the whole body in memory. */
export function copyText(text: string): string {
  // Concatenation makes V8 write the text anew.
  return ` ${text}`.slice(1);
}
