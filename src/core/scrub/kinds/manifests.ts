// Secrets of Kubernetes in YAML or JSON, whole or cut out of a log: what stands below `data` and
// `stringData` of a document whose kind is Secret.

const filtered = '[Filtered]';
const isSecretKind = /\bkind\\{0,4}["']?\s{0,2}:\s{0,2}\\{0,4}["']?Secret\b/;
/** 1: the head, 2: the lines further in. */
const block =
  /^([ \t]{0,32}(?:data|stringData):[ \t]{0,8}\r?\n)((?:[ \t]{1,64}\S[^\n]{0,65536}(?:\n|$)){1,256})/gm;
/** 1: the head, 2: the members. */
const members = /(\\{0,4}"(?:data|stringData)\\{0,4}":\s{0,4}\{)([^{}]{1,65536})(?=\}|$)/g;

/** Text without the values of such documents; the documents are parted by lines of `---`. */
export function scrubManifests(text: string, hit: () => void): string {
  if (!isSecretKind.test(text)) return text;
  return text
    .split(/(?<=\n)(?=---)/)
    .map((document) => (isSecretKind.test(document) ? scrubDocument(document, hit) : document))
    .join('');
}

function scrubDocument(document: string, hit: () => void): string {
  return document
    .replaceAll(block, (_whole: string, head: string, lines: string) => {
      hit();
      return (
        head +
        lines.replaceAll(/^([ \t]+(?:["']?[\w.-]{1,253}["']?:[ \t]*)?)(?=[^\s|>])[^\r\n]*/gm, `$1${filtered}`)
      );
    })
    .replaceAll(members, (_whole: string, head: string, held: string) => {
      hit();
      return head + held.replaceAll(/(:\s{0,4}\\{0,4}")[^"\\]{1,65536}/g, `$1${filtered}`);
    });
}
