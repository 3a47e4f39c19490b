// Two threads that talk: words that need no answer, and questions that get one. Plain data both ways.

import type { Log } from '../../core/ports/log.ts';
import type { Counted, UnderWay } from '../../core/ports/measures.ts';

/** A fault as plain data. */
export interface PostedFault {
  readonly message: string;
  readonly stack: string | undefined;
}

/** What needs no answer. */
export type Word =
  /** To a thread: answer from now on; take no more, finish, and end. */
  | { readonly say: 'serve' | 'drain' }
  /** Both ways: an event was stored. */
  | { readonly say: 'news' }
  /** From a thread: it listens; it has finished. */
  | { readonly say: 'listening' | 'ended' }
  /** From a thread: what it counted since it last said so. */
  | { readonly say: 'counted'; readonly counted: Counted }
  /** From a thread: a fault that nobody caught; a line for the log. */
  | { readonly say: 'fault'; readonly fault: PostedFault }
  | { readonly say: 'log'; readonly line: readonly [level: keyof Log, fields: object, message: string] };

/** What is asked, and what is answered. */
export interface Answers {
  /** Write down what was counted of outcomes: here, and, where a thread asks, everywhere. */
  flush: null;
  /** What a thread has under way; what it has counted it says before. */
  counts: UnderWay;
  metrics: { readonly contentType: string; readonly text: string };
}

type Question = keyof Answers;

export interface Link {
  tell(word: Word): void;
  /** Resolves with the answer; null where none came in time, or nobody is there. */
  ask<Asked extends Question>(what: Asked): Promise<Answers[Asked] | null>;
}

type Posted =
  | Word
  | { readonly ask: Question; readonly id: number }
  | { readonly answer: number; readonly value: unknown };

interface Port {
  postMessage(value: unknown): void;
  on(event: 'message', listener: (value: Posted) => void): unknown;
}

export interface LinkParts {
  hear(word: Word): void;
  /** Answers a question; what it rejects with is no answer. */
  answer(what: Question): Promise<Answers[Question] | null>;
}

/** Shorter than who asks for metrics waits. */
const answerMsMax = 5_000;

/** Talks over one end of a channel. */
export function openLink(port: Port, { hear, answer }: LinkParts): Link {
  const asked = new Map<number, (value: unknown) => void>();
  let lastId = 0;
  port.on('message', (posted) => {
    if ('say' in posted) return hear(posted);
    if ('answer' in posted) return asked.get(posted.answer)?.(posted.value);
    const { id } = posted;
    answer(posted.ask).then(
      (value) => port.postMessage({ answer: id, value } satisfies Posted),
      () => port.postMessage({ answer: id, value: null } satisfies Posted),
    );
  });
  return {
    tell: (word) => port.postMessage(word),
    ask(what) {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve) => {
        const end = (value: unknown): void => {
          clearTimeout(timer);
          asked.delete(id);
          resolve(value as never);
        };
        const timer = setTimeout(() => end(null), answerMsMax);
        asked.set(id, end);
        port.postMessage({ ask: what, id } satisfies Posted);
      });
    },
  };
}
