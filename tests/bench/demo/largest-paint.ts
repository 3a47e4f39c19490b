// When the largest part of a page was painted, as Chromium tells it.
import { chromium } from 'playwright-core';

const loads = 7;

/** The median of milliseconds from the click to the largest paint, of the slowest page. */
export async function largestPaintMs(
  executablePath: string,
  origin: string,
  paths: readonly string[],
): Promise<number> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const medians: number[] = [];
    for (const path of paths) {
      const times: number[] = [];
      for (let load = 0; load < loads; load += 1) {
        const context = await browser.newContext();
        const page = await context.newPage();
        await page.goto(`${origin}/demo${path}`, { waitUntil: 'load' });
        times.push(await page.evaluate(paintedAtMs));
        await context.close();
      }
      medians.push(times.sort((one, other) => one - other)[Math.floor(loads / 2)] ?? Number.NaN);
    }
    return Math.max(...medians);
  } finally {
    await browser.close();
  }
}

/** Runs in the page. */
function paintedAtMs(): Promise<number> {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const last = list.getEntries().at(-1);
      if (last !== undefined) resolve(last.startTime);
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  });
}
