// A bounded cache by text (file names, messages, users). It pauses while the hit rate is low.

/** `undefined` is not cached. */
export interface MemoCache<Answer> {
  find(text: string): Answer | undefined;
  /** False if `set` would not store this text; saves copying the answer. */
  accepts(text: string): boolean;
  /** The answer must not reference a part of a longer text (see `copyText`). */
  set(text: string, answer: Answer): Answer;
}

interface CacheLimits {
  readonly textsMax: number;
  readonly charactersMax: number;
}

/** Lookups per check of the hit rate. */
const lookupsPerCheck = 2048;
/** Hits needed to continue. */
const hitsMin = lookupsPerCheck / 16;
/** Lookups that skip the cache after a low hit rate. */
const lookupsSkipped = 32 * lookupsPerCheck;

/** Two generations: when the current one is full the previous one is dropped, except for what was used since. */
export function createMemoCache<Answer>({ textsMax, charactersMax }: CacheLimits): MemoCache<Answer> {
  let current = new Map<string, Answer>();
  let previous = new Map<string, Answer>();
  let [lookups, hits, skipsLeft] = [0, 0, 0];

  const put = (text: string, answer: Answer): void => {
    if (current.size * 2 >= textsMax) {
      previous = current;
      current = new Map();
    }
    current.set(text, answer);
  };
  const accepts = (text: string): boolean => skipsLeft === 0 && text.length <= charactersMax;
  const checkHitRate = (): void => {
    if (hits < hitsMin) {
      skipsLeft = lookupsSkipped;
      current = new Map();
      previous = new Map();
    }
    lookups = 0;
    hits = 0;
  };
  return {
    find(text) {
      if (text.length > charactersMax) return undefined;
      if (skipsLeft > 0) {
        skipsLeft -= 1;
        return undefined;
      }
      lookups += 1;
      if (lookups > lookupsPerCheck) checkHitRate();
      const answer = current.get(text);
      if (answer !== undefined) {
        hits += 1;
        return answer;
      }
      const older = previous.get(text);
      if (older === undefined) return undefined;
      hits += 1;
      put(copyText(text), older);
      return older;
    },
    accepts,
    set(text, answer) {
      if (accepts(text)) put(copyText(text), answer);
      return answer;
    },
  };
}

export function memoize<Answer>(
  answerOf: (text: string) => Answer,
  limits: CacheLimits,
): (text: string) => Answer {
  const answers = createMemoCache<Answer>(limits);
  return (text) => {
    const known = answers.find(text);
    return known === undefined ? answers.set(text, answerOf(text)) : known;
  };
}

/** Copies a text: V8 keeps substrings as views, so 20 characters would keep the whole body in memory. */
export function copyText(text: string): string {
  // Concatenation makes V8 write the text anew.
  return ` ${text}`.slice(1);
}
