// Substitutes for system fonts in screenshots, since build machines have none.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

interface Substitute {
  readonly wanted: string;
  /** The name that browsers ask fontconfig for. */
  readonly asked: string;
  /** Substitutes, best first. */
  readonly by: readonly string[];
  readonly package: string;
}

const substitutes: readonly Substitute[] = [
  {
    wanted: 'system-ui',
    asked: 'sans-serif',
    by: ['Inter', 'Roboto', 'Noto Sans', 'Liberation Sans'],
    package: 'fonts-inter',
  },
  {
    wanted: 'Charter',
    asked: 'Charter',
    by: ['Charis SIL', 'Caladea', 'Noto Serif', 'Liberation Serif'],
    package: 'fonts-sil-charis',
  },
  {
    wanted: 'ui-monospace',
    asked: 'ui-monospace',
    by: ['JetBrains Mono', 'Noto Sans Mono', 'Liberation Mono'],
    package: 'fonts-jetbrains-mono',
  },
];

/** Writes a fontconfig file for FONTCONFIG_FILE and returns its path. `$XDG_DATA_HOME/fonts` counts too. */
export async function writeFontSettings(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
  tell: (line: string) => void,
): Promise<string> {
  const file = join(folder, 'fonts.conf');
  const write = (rules: readonly string[]): void => writeFileSync(file, settingsOf(folder, rules));
  write([]);
  const installed = await familiesBy(file, environment);
  const rules = substitutes.map(({ wanted, asked, by, package: named }) => {
    const found = by.find((family) => installed.has(family));
    if (found !== by[0]) {
      const now = found === undefined ? 'what the system has' : found;
      tell(`${by[0]} is not installed: ${wanted} is drawn with ${now}. Debian has it in ${named}.`);
    }
    return found === undefined ? '' : rule(asked, found);
  });
  write(rules);
  return file;
}

function settingsOf(folder: string, rules: readonly string[]): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
<dir prefix="xdg">fonts</dir>
<cachedir>${folder}</cachedir>
${rules.join('\n')}
</fontconfig>
`;
}

function rule(asked: string, family: string): string {
  return `<match><test name="family"><string>${asked}</string></test>
<edit name="family" mode="prepend" binding="strong"><string>${family}</string></edit></match>`;
}

/** Empty where fontconfig's fc-list is not installed. */
async function familiesBy(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ReadonlySet<string>> {
  const env = { ...environment, FONTCONFIG_FILE: file };
  const listed = await promisify(execFile)('fc-list', ['--format', '%{family}\\n'], { env }).catch(
    () => null,
  );
  return new Set((listed?.stdout ?? '').split(/[,\n]/).map((name) => name.trim()));
}
