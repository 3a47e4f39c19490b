// What `prune --compact` does: writes the file of the database anew, with the server stopped.
import { compact } from '../../../data/upkeep/compact.ts';
import { type CommandContext, exitCodes, type ParsedWords, printJson } from '../command.ts';
import { configuredFile } from './database-file.ts';

/** Compacts the configured database; answers the exit code. */
export async function compactFile(context: CommandContext, words: ParsedWords): Promise<number> {
  const file = configuredFile(context.env);
  if (file === null) {
    context.err('DATABASE_URL names PostgreSQL, which has a statement of its own for this: VACUUM FULL.\n');
    return exitCodes.usage;
  }
  const { beforeBytes, afterBytes } = await compact(file);
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
  if (words.flag('json')) {
    printJson(context, { path: file, bytes_before: beforeBytes, bytes_after: afterBytes });
  } else {
    context.out(
      `${file}: ${megabytes(afterBytes)} MB, ${megabytes(beforeBytes)} before. It gives room back by itself now.\n`,
    );
  }
  return exitCodes.fine;
}
