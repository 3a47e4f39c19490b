// A question of the store that every request has, and whose answer hardly ever changes: asked once for all
// requests that are read in one turn of the loop.

/** The answer, or the promise of it where it was only just asked for. */
export type Soon<T> = T | Promise<T>;

/**
 * Asks `ask` once a turn of the event loop for each id. What was changed is known from the next turn on:
 * whoever was told of a change, and asks then, is answered by it. `undefined` is no answer.
 */
export function onceATurn<T>(ask: (id: number) => Promise<T>): (id: number) => Soon<T> {
  let answers: Map<number, Soon<T>> | null = null;
  const begin = (): Map<number, Soon<T>> => {
    setImmediate(() => {
      answers = null;
    });
    return new Map();
  };
  return (id) => {
    answers ??= begin();
    const ofThisTurn = answers;
    const known = ofThisTurn.get(id);
    if (known !== undefined) return known;
    const asked = ask(id).then((answer) => {
      ofThisTurn.set(id, answer);
      return answer;
    });
    ofThisTurn.set(id, asked);
    return asked;
  };
}
