// For display only.

const browsers: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bChromium\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
const systems: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

export function describeBrowser(userAgent: string): string {
  const named = (list: typeof browsers): string | undefined =>
    list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = named(browsers) ?? 'An unknown browser';
  const system = named(systems);
  return system === undefined ? browser : `${browser} on ${system}`;
}
