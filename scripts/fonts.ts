// The fonts of the pictures: pages ask for those of the reader's system, which a build machine has none of.
// What stands in for them is looked for among those that are installed, and told where it is missing.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

interface StandIn {
  readonly wanted: string;
  /** What fontconfig calls it: a browser asks for the font of the system by no name at all. */
  readonly asked: string;
  /** What is as good where that is not installed, the best first. */
  readonly by: readonly string[];
  readonly package: string;
}

/** What the style sheet asks for. */
const standIns: readonly StandIn[] = [
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

/**
 * Writes settings for fontconfig into a folder and answers the file, for FONTCONFIG_FILE of the browser.
 * Fonts are those of the system and of `$XDG_DATA_HOME/fonts`.
 */
export async function writeFontSettings(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
  tell: (line: string) => void,
): Promise<string> {
  const file = join(folder, 'fonts.conf');
  const write = (rules: readonly string[]): void => writeFileSync(file, settingsOf(folder, rules));
  write([]);
  const installed = await familiesBy(file, environment);
  const rules = standIns.map(({ wanted, asked, by, package: named }) => {
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

/** The names of all fonts there are; none where fontconfig's own program is not installed. */
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
