export type MaybePromise<T> = T | Promise<T>;

/** For queries of every request: once per tick and id; changes show in the next tick. `undefined` not kept. */
export function cachePerTick<T>(query: (id: number) => Promise<T>): (id: number) => MaybePromise<T> {
  let answers: Map<number, MaybePromise<T>> | null = null;
  const begin = (): Map<number, MaybePromise<T>> => {
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
    const pending = query(id).then((answer) => {
      ofThisTurn.set(id, answer);
      return answer;
    });
    ofThisTurn.set(id, pending);
    return pending;
  };
}
