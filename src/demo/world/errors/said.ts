// What people wrote about issues, and when: hours after an issue began, or came back. One who came back more
// than once is written about in turn.
import type { DemoMember } from '../company.ts';

export interface Said {
  readonly hours: number;
  readonly by: DemoMember['id'];
  /** Taken in turn, one each time that the issue came back. */
  readonly texts: readonly string[];
}

/** By the number of the issue. */
export const said: Readonly<Record<number, readonly Said[]>> = {
  1003: [
    {
      hours: 51,
      by: 4,
      texts: [
        'North Sea Parcel answers in 1.8 s on a good day. Two seconds are too few; three would hide it.\n\nI asked them for the numbers of their side.',
      ],
    },
  ],
  1014: [
    {
      hours: 30,
      by: 3,
      texts: ['Two batches lock the same rows in another order. Sorting by sku before the update should do.'],
    },
    { hours: 74, by: 1, texts: ['Sorted since yesterday, and it is fewer, but not none. Keep it open.'] },
  ],
  1022: [
    {
      hours: 26,
      by: 4,
      texts: [
        'The proxy answers with its own page of an error.\nA look at the type of the content would say so.',
      ],
    },
  ],
  1038: [
    {
      hours: 3,
      by: 3,
      texts: [
        'The cache was restarted by hand again. See #1005, which is the same evening.',
        'Same host as last time.',
      ],
    },
  ],
  1043: [
    {
      hours: 1.3,
      by: 2,
      texts: [
        'The fallback has no rate for D zones, again. I take the guard of the last release and put it into pickRate itself.',
        'It is the old summary that is still in some caches. #1041 and #1042 are the same fault in other browsers.',
        'Back with the release, as feared: the guard was lost in a merge. There is a test for it now.',
      ],
    },
  ],
  1057: [{ hours: 1.1, by: 3, texts: ['Orders without a weight come from the import of samples.'] }],
  1059: [
    {
      hours: 0.9,
      by: 1,
      texts: ['The feed holds all products at once. 512 MB until it reads them in turns.'],
    },
  ],
  1061: [
    {
      hours: 0.75,
      by: 3,
      texts: [
        'The gateway answers 502 from one of its two addresses, and we try three times at once. I asked them.',
      ],
    },
    { hours: 1.2, by: 1, texts: ['If it is not better by the next mark we take the release back.'] },
  ],
  1064: [
    {
      hours: 1.6,
      by: 2,
      texts: [
        'Pages that were open during the deploy ask for chunks that are gone. We should keep the old ones for a day.',
      ],
    },
  ],
};
