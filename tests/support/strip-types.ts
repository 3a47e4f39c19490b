// How Jest reads TypeScript: as Node itself does, types turned into blanks. Every line and column stays where
// it was, so no source map is made, written or read, and what is tested is the text that the program runs.
import { stripTypeScriptTypes } from 'node:module';

/** Jest's transformer, for `require` of it and for `import`. Throws where Node would refuse the syntax. */
export function process(source: string): { code: string } {
  return { code: stripTypeScriptTypes(source, { mode: 'strip' }) };
}
