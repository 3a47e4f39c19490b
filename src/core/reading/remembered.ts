// What was worked out before, remembered by its text: names of files and functions, messages and users come
// again with nearly every event. Bounded in number and in characters, and given up for a while where nothing
// comes again, so that a stream of ever new texts costs no more than reading each.

/** Answers by text. `undefined` is no answer. */
export interface Remembered<Answer> {
  /** What was kept under this text, or undefined. */
  recall(text: string): Answer | undefined;
  /** Whether an answer to this text would be kept now: else nothing has to be copied for it. */
  keeps(text: string): boolean;
  /** Keeps an answer, which must hold no part of a longer text (see `ownCopy`). */
  keep(text: string, answer: Answer): Answer;
}

interface Room {
  /** So many texts at most are held in all. */
  readonly textsMax: number;
  /** Longer texts are not remembered. */
  readonly charactersMax: number;
}

/** Of so many texts asked for, */
const lookedAt = 2048;
/** at least so many have to come again, */
const worthwhile = lookedAt / 16;
/** else this many are not asked for. */
const restingFor = 32 * lookedAt;

/**
 * A memory of two halves: the older one is dropped when the younger is full, but for what was asked for
 * meanwhile.
 */
export function remembered<Answer>({ textsMax, charactersMax }: Room): Remembered<Answer> {
  let young = new Map<string, Answer>();
  let old = new Map<string, Answer>();
  let [asked, found, resting] = [0, 0, 0];

  const put = (text: string, answer: Answer): void => {
    if (young.size * 2 >= textsMax) {
      old = young;
      young = new Map();
    }
    young.set(text, answer);
  };
  const keeps = (text: string): boolean => resting === 0 && text.length <= charactersMax;
  const lookBack = (): void => {
    if (found < worthwhile) {
      resting = restingFor;
      young = new Map();
      old = new Map();
    }
    asked = 0;
    found = 0;
  };
  return {
    recall(text) {
      if (text.length > charactersMax) return undefined;
      if (resting > 0) {
        resting -= 1;
        return undefined;
      }
      asked += 1;
      if (asked > lookedAt) lookBack();
      const answer = young.get(text);
      if (answer !== undefined) {
        found += 1;
        return answer;
      }
      const older = old.get(text);
      if (older === undefined) return undefined;
      found += 1;
      put(ownCopy(text), older);
      return older;
    },
    keeps,
    keep(text, answer) {
      if (keeps(text)) put(ownCopy(text), answer);
      return answer;
    },
  };
}

/** The same function of a text, asked anew only where its answer is not remembered. */
export function recalling<Answer>(answerOf: (text: string) => Answer, room: Room): (text: string) => Answer {
  const answers = remembered<Answer>(room);
  return (text) => {
    const known = answers.recall(text);
    return known === undefined ? answers.keep(text, answerOf(text)) : known;
  };
}

/**
 * The same text in memory of its own: V8 keeps a part that was cut out of a text as a view into the whole,
 * and whoever holds 20 characters of a body would hold the body.
 */
export function ownCopy(text: string): string {
  // Joined with another sign and asked for, a text is written anew; that sign is all that the view adds.
  return ` ${text}`.slice(1);
}
