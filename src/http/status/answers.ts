// Answers of status pages, kept for everybody: a page is asked of the database once in so many seconds, and
// each kind of it is rendered once of that. One is made at a time, whichever page it is of, so that a crowd
// leaves the thread to events.
import type { StatusModel } from '../../core/workspace/uptime/status.ts';
import { type Kept, keptValue } from './kept.ts';
import type { Rendered, StatusKind } from './render.ts';

/** What is kept in all; beyond it the pages go that nobody asked for longest. */
const keptBytesMax = 32 * 1_048_576;

export interface StatusAnswersParts {
  readonly now: () => number;
  /** Null where there is none for everybody. */
  model(slug: string): Promise<StatusModel | null>;
  /** `place` is the host whose root shows the page, with its scheme; empty below the pages. */
  render(model: StatusModel, kind: StatusKind, place: string): Promise<Rendered | null>;
  failed(error: unknown, slug: string): void;
}

interface Made {
  readonly model: StatusModel | null;
  readonly madeAtMs: number;
  readonly rendered: Map<string, Promise<Rendered | null>>;
  bytes: number;
}

export interface StatusAnswer {
  /** Null: there is no such thing. */
  readonly rendered: Rendered | null;
  /** When what it says was true. */
  readonly madeAtMs: number;
}

export interface StatusAnswers {
  get(slug: string, kind: StatusKind, place: string): Promise<StatusAnswer>;
  /** Keeps nothing of pages that are not among these. */
  keepOnly(slugs: ReadonlySet<string>): void;
}

/** Nothing is made before somebody asks. */
export function statusAnswers({ now, model, render, failed }: StatusAnswersParts): StatusAnswers {
  const pages = new Map<string, Kept<Made>>();
  const [askedInTurn, renderedInTurn] = [oneAtATime(), oneAtATime()];
  function pageOf(slug: string): Kept<Made> {
    const page =
      pages.get(slug) ??
      keptValue<Made>({
        now,
        make: () =>
          askedInTurn(async () => {
            const madeAtMs = now();
            return { model: await model(slug), madeAtMs, rendered: new Map(), bytes: 0 };
          }),
        failed: (error) => failed(error, slug),
      });
    // The one that was not asked for longest is the first.
    pages.delete(slug);
    pages.set(slug, page);
    return page;
  }
  function makeRoom(): void {
    let bytes = 0;
    for (const page of pages.values()) bytes += page.last()?.bytes ?? 0;
    for (const [slug, page] of pages) {
      if (bytes <= keptBytesMax || pages.size === 1) return;
      pages.delete(slug);
      bytes -= page.last()?.bytes ?? 0;
    }
  }
  return {
    async get(slug, kind, place) {
      const made = await pageOf(slug).get();
      const name = kind === 'json' || kind === 'badge' ? kind : `${kind} ${place}`;
      let rendering = made.rendered.get(name);
      if (rendering === undefined) {
        rendering = renderedInTurn(async () =>
          made.model === null ? null : render(made.model, kind, place),
        );
        made.rendered.set(name, rendering);
        rendering.then(
          (rendered) => {
            made.bytes += (rendered?.plain.length ?? 0) + (rendered?.gzip?.length ?? 0);
            makeRoom();
          },
          (error: unknown) => {
            made.rendered.delete(name);
            failed(error, slug);
          },
        );
      }
      return { rendered: await rendering, madeAtMs: made.madeAtMs };
    },
    keepOnly(slugs) {
      for (const slug of pages.keys()) if (!slugs.has(slug)) pages.delete(slug);
    },
  };
}

/** Has jobs wait for each other, in the order in which they came. */
function oneAtATime(): <Result>(job: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const next = last.then(job, job);
    last = next.catch(() => {});
    return next;
  };
}
