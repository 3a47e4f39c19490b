import { scrubNamedValue, scrubProjectText } from '../../../scrub/record.ts';
import type { ProjectScrubSettings } from '../../../store/projects.ts';
import type { CaseScrubber } from './report.ts';

/** Cache: names of suites, files and tags repeat in each case, longer texts seldom do. */
const rememberedCharactersMax = 200;
const rememberedMax = 5_000;

export const noScrubber: CaseScrubber = { text: (text) => text, pair: (name, value) => [name, value] };

/** Scrubs the cases of one upload. Keep one per upload, since it caches texts. */
export function createCaseScrubber(project: ProjectScrubSettings): CaseScrubber {
  const known = new Map<string, string>();
  return {
    text(text) {
      if (text.length > rememberedCharactersMax) return scrubProjectText(text, project);
      const before = known.get(text);
      if (before !== undefined) return before;
      const clean = scrubProjectText(text, project);
      if (known.size >= rememberedMax) known.clear();
      known.set(text, clean);
      return clean;
    },
    pair: (name, value) => scrubNamedValue(name, value, project),
  };
}
