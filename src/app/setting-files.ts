import { closeSync, openSync, readSync, statSync } from 'node:fs';

const fileBytesMax = 4 * 1_048_576;

/** Reads a file, pipe or shell `<(…)`. Throws an Error with a readable reason. */
export function readSettingFile(path: string): string {
  try {
    const found = statSync(path);
    if (found.isDirectory()) throw new Error('it is a folder, not a file');
    if (!found.isFile() && !found.isFIFO()) throw new Error('it is not a regular file');
    return readBounded(path);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === undefined
      ? error
      : new Error(fileWords(error), { cause: error });
  }
}

function fileWords(error: unknown): string {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return plainWords[code] ?? `it cannot be read (${code})`;
}

const plainWords: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'part of its path is not a folder',
  EISDIR: 'it is a folder, not a file',
  EACCES: 'this user is not allowed to read it',
  EPERM: 'this user is not allowed to read it',
  ELOOP: 'it is a symbolic link to itself',
  ENAMETOOLONG: 'its path is too long',
};

function readBounded(path: string): string {
  const parts: Buffer[] = [];
  let bytes = 0;
  const open = openSync(path, 'r');
  try {
    for (;;) {
      const part = Buffer.alloc(65_536);
      const read = readSync(open, part);
      if (read === 0) return Buffer.concat(parts).toString('utf8');
      bytes += read;
      if (bytes > fileBytesMax) throw new Error(`it is longer than ${fileBytesMax} bytes`);
      parts.push(part.subarray(0, read));
    }
  } finally {
    closeSync(open);
  }
}
