import { spawn } from 'node:child_process';

/** Opens a page in the user's browser. Without one nothing happens: the address is printed too. */
export function openBrowser(url: string): void {
  const [program, ...words] = browserCommand(process.platform);
  const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

function browserCommand(platform: NodeJS.Platform): [string, ...string[]] {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}
