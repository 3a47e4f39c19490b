// The parts of a plot: SVG as text, in the colours of the house by light and dark, as wide as a phone.

const width = 390;
const rowHeight = 20;
const groupGap = 14;
const left = 134;
const right = 94;

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Said behind the bar. */
  readonly says: string;
  readonly tone: Tone;
}

export interface Group {
  readonly heading: string;
  readonly bars: readonly Bar[];
}

/** Ours stand out, yardsticks stand back. */
export type Tone = 'ours' | 'ours2' | 'yardstick' | 'yardstick2';

const style = `
  :root { color-scheme: light dark }
  svg { background: light-dark(#fcfdfd, #0e1418); font: 12px system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif }
  text { fill: light-dark(#101c26, #e6ebee) }
  .title { font-size: 15px; font-weight: 650 }
  .heading { font-size: 12px; font-weight: 650 }
  .says { fill: light-dark(#3d4d59, #b3bfc7) }
  .axis { stroke: light-dark(#101c26, #e6ebee); stroke-width: 1 }
  .rule { stroke: light-dark(#dde3e6, #27323a); stroke-width: 1 }
  .ours { fill: light-dark(#1d4ec2, #93b4ff) }
  .ours2 { fill: light-dark(#11663c, #6fce9c) }
  .yardstick { fill: light-dark(#5b6c78, #8496a2) }
  .yardstick2 { fill: light-dark(#8092a0, #5a6c78) }
  .stage0 { fill: light-dark(#101c26, #e6ebee) }
  .stage1 { fill: light-dark(#1d4ec2, #93b4ff) }
  .stage2 { fill: light-dark(#b97b06, #d79c2a) }
  .stage3 { fill: light-dark(#11663c, #6fce9c) }
  .stage4 { fill: light-dark(#8092a0, #5a6c78) }
  .stage5 { fill: light-dark(#b3211a, #ff8f82) }
  .stage6 { fill: light-dark(#4f9678, #4d9a79) }
  .stage7 { fill: light-dark(#5b6c78, #8496a2) }`;

export interface Words {
  readonly title: string;
  /** What the values are. */
  readonly unit: string;
  /** The plot in one sentence, for whoever does not see it. */
  readonly says: string;
}

/** Bars in groups, each group with its own scale where `scaleEach`. */
export function barPlot(words: Words, groups: readonly Group[], scaleEach = false): string {
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)));
  const drawn: string[] = [];
  let y = 52;
  for (const { heading, bars } of groups) {
    drawn.push(`<text class="heading" x="12" y="${y + 13}">${escaped(heading)}</text>`);
    y += rowHeight;
    const scale = scaleEach ? Math.max(...bars.map(({ value }) => value)) : most;
    const axisFrom = y;
    for (const bar of bars) {
      drawn.push(barAt(bar, y, scale));
      y += rowHeight;
    }
    drawn.push(`<line class="axis" x1="${left}" x2="${left}" y1="${axisFrom}" y2="${y}"/>`);
    y += groupGap;
  }
  return documentOf(words, drawn, y);
}

function barAt({ label, value, says, tone }: Bar, y: number, most: number): string {
  const length = most > 0 ? Math.max(1, ((width - left - right) * value) / most) : 1;
  return [
    `<text x="${left - 6}" y="${y + 14}" text-anchor="end">${escaped(label)}</text>`,
    `<rect class="${tone}" x="${left}" y="${y + 3}" width="${length.toFixed(1)}" height="${rowHeight - 6}"/>`,
    `<text class="says" x="${(left + length + 5).toFixed(1)}" y="${y + 14}">${escaped(says)}</text>`,
  ].join('');
}

/** One bar a row, whose parts are shares of a whole; what they are called stands in a key. */
export function sharePlot(
  words: Words,
  rows: ReadonlyArray<{ readonly label: string; readonly says: string; readonly parts: readonly number[] }>,
  names: readonly string[],
): string {
  const drawn: string[] = [];
  let y = 52;
  for (const { label, says, parts } of rows) {
    const sum = parts.reduce((total, part) => total + part, 0);
    drawn.push(`<text class="heading" x="12" y="${y + 13}">${escaped(label)}</text>`);
    drawn.push(
      `<text class="says" x="${width - 12}" y="${y + 13}" text-anchor="end">${escaped(says)}</text>`,
    );
    let x = 12;
    for (const [index, part] of parts.entries()) {
      const length = ((width - 24) * part) / sum;
      drawn.push(
        `<rect class="stage${index}" x="${x.toFixed(1)}" y="${y + 19}" width="${Math.max(0, length - 1).toFixed(1)}" height="18"/>`,
      );
      x += length;
    }
    y += 48;
  }
  for (const [index, name] of names.entries()) {
    const [column, row] = [index % 3, Math.floor(index / 3)];
    const [keyX, keyY] = [12 + column * 124, y + 6 + row * 20];
    drawn.push(`<rect class="stage${index}" x="${keyX}" y="${keyY}" width="12" height="12"/>`);
    drawn.push(`<text x="${keyX + 18}" y="${keyY + 10.5}">${escaped(name)}</text>`);
  }
  return documentOf(words, drawn, y + 6 + Math.ceil(names.length / 3) * 20 + 8);
}

function documentOf({ title, unit, says }: Words, drawn: readonly string[], height: number): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title says">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="says">${escaped(says)}</desc>`,
    `<style>${style}\n</style>`,
    `<text class="title" x="12" y="22">${escaped(title)}</text>`,
    `<text class="says" x="12" y="40">${escaped(unit)}</text>`,
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
