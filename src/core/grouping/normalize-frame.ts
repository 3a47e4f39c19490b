// Writes frames so that builds, engines and hosts agree (docs/grouping.md, "Frames").
import type { StackFrame } from '../../../schemas/event.ts';
import { isJsonObject } from '../parsing/unknown-values.ts';
import { parseAddress } from './debug-images.ts';
import type { GroupingFrame } from './fingerprint-parts.ts';
import { pluginOrThemeFile } from './message-resources.ts';
import { isUnmappedName, isUnreadable } from './minified-names.ts';
import { decodePath, normalizeFileName } from './names/file-names.ts';
import { findSourceMethod, normalizeFunctionName, normalizeModuleName } from './names/function-names.ts';
import { normalizeRustName } from './stacks/compiled-names.ts';
import { type Frame, isJavaScript } from './stacks/frame.ts';

const contextCharsMax = 120;
const statementLines = 3;

/** Names without regard to lines, source maps and addresses. */
export type NormalizedNames = ReturnType<typeof normalizeFrameNames>;

export function normalizeFrameNames(frame: StackFrame, platform: string) {
  const method = findSourceMethod(frame, platform);
  const file = withoutDrawn(
    locationOf(method === null ? frame : { ...frame, module: method.module }, platform),
  );
  const name = normalizeFunctionName(method?.function ?? frame.function ?? '', platform);
  return { file, name, function: functionOf(frame, name, platform) };
}

function functionOf(frame: StackFrame, name: string, platform: string): string {
  if (isJavaScript(platform)) return withClass(frame, name, platform);
  // Generic arguments are written in two ways.
  if (platform === 'go') return name.replace(/\[[^\]]{0,200}\]/g, '');
  return managed.has(platform) ? managedFunction(frame, name) : nativeFunction(frame, name);
}

/** Empty where a minifier named it. */
export function normalizeFrameFunction(
  written: NormalizedNames,
  frame: StackFrame,
  raw: StackFrame | undefined,
  platform: string,
): string {
  if (isJavaScript(platform)) return isUnmappedName(frame, raw, written.name) ? '' : written.function;
  const isNameless = written.name === '' && platform !== 'go' && !managed.has(platform);
  return isNameless ? offsetOf(frame) : written.function;
}

/** Browsers differ in the class before a method; Node has one engine. */
function withClass(frame: StackFrame, name: string, platform: string): string {
  const owner =
    platform === 'node'
      ? /^(?:async )?([A-Z][A-Za-z0-9]{3,60})\.[\w$#]+$/.exec(frame.function ?? '')?.[1]
      : undefined;
  return owner === undefined || name === '' || builtIn.test(owner) ? name : `${owner}.${name}`;
}

const builtIn =
  /^(?:Object|Function|Array|Promise|Module|Generator|AsyncGenerator|Proxy|Reflect|String|Number|Server|Socket|Layer|Route|Router|Timeout|Immediate|Runtime|Class|EventEmitter|Readable|Writable|Transform|Interface|Parser|Query|Context(?:ify\w*)?|TCP\w*|TLS\w*|Pipe\w*|FSReqCallback|JestMock|Script|Test)$/;

function withoutDrawn(file: string): string {
  if (!file.includes('$')) return file;
  return file.replace(/_\$\$_(?:javassist|jvst)\w*$/, '').replace(/(?<=__|\$eval)\d+(?=\$|$)/g, '');
}

const managed = new Set(['java', 'python', 'ruby', 'php', 'csharp', 'perl', 'elixir', 'groovy', 'haskell']);

/** Without generated parts of names (D8, Cython, Symfony). The offset where there is no symbol. */
function managedFunction(frame: StackFrame, name: string): string {
  const offset = /(\+0x[0-9a-f]{1,16})$/i.exec(frame.function ?? '')?.[1];
  if (isUnreadable(name)) return '';
  if (name.endsWith('+') && offset !== undefined) return name + offset;
  if (name.startsWith('__pyx_')) return name.replace(/\d+/g, '');
  return name.replace(/\bContainer\w{7}(?=\\)/, 'Container');
}

/** `plugins/slug/file`, the module, the file with its folder, or the binary. */
function locationOf(asSent: StackFrame, platform: string): string {
  const frame = isJavaScript(platform) ? withDecodedPaths(asSent) : asSent;
  const path = frame.abs_path ?? frame.filename ?? '';
  const site = pluginOrThemeFile(path) ?? pluginOrThemeFile(frame.filename ?? '');
  if (site !== null) return site;
  const file = fileOf(frame, platform);
  if (file === '') return normalizeFileName(frame.package ?? '');
  if (platform === 'go' && file === 'main') return programOf(path);
  if (file.includes('$$ExternalSynthetic')) {
    return file.replace(/(?<=\$\$ExternalSynthetic[A-Za-z]{1,32})\d+/, '');
  }
  const hasModule = !isJavaScript(platform) && frame.module !== undefined && frame.module !== '';
  return hasModule ? file : withFolder(file, frame.filename ?? path);
}

/** Every Go program is `main`; one of several in a module is in `cmd/NAME`. */
function programOf(path: string): string {
  const name = /[/\\](cmds?[/\\](?:[^/\\]{1,128}[/\\]){1,4})[^/\\]{1,128}$/.exec(path)?.[1];
  return name === undefined ? 'main' : `main in ${name.slice(0, -1).replaceAll('\\', '/').toLowerCase()}`;
}

function withDecodedPaths(frame: StackFrame): StackFrame {
  const { filename, abs_path: path } = frame;
  if (filename?.includes('%') !== true && path?.includes('%') !== true) return frame;
  return {
    ...frame,
    ...(filename === undefined ? {} : { filename: decodePath(filename) }),
    ...(path === undefined ? {} : { abs_path: decodePath(path) }),
  };
}

/** Folders that do not identify a file. */
const plainFolder =
  /^(?:src|apps?|dist|build|out|libs?|public|html|www|wwwroot|htdocs|inetpub|web|js|static|assets|chunks|_next|current|releases?|shared|bin|root|code|workspace|home|users|srv|opt|var|tmp|usr|server|client|scripts?|cmd|node|es|esm|cjs|pages|next|\.next|models?|views?|controllers?|helpers?|services?|concerns|components?|modules?|packages?|includes?|classes|templates?|utils?|core|common|task|standalone|functions|internal|pkg|main|java|kotlin|resources|[.~]{1,2}|[a-z]:|.{0,2})$/i;
const foldersMax = 4;

/** Modules are better than paths, except for scripts, where SDKs differ. */
function fileOf(frame: StackFrame, platform: string): string {
  const path = frame.filename ?? frame.abs_path ?? '';
  if (isJavaScript(platform) && path !== '') return normalizeFileName(path);
  const { module = '' } = frame;
  return module === '' ? normalizeFileName(path) : normalizeModuleName(module, platform);
}

/** For a relative path the nearest distinctive folder, otherwise only the direct one. */
function withFolder(file: string, path: string): string {
  if (/^[(<]/.test(file)) return file;
  const cleanPath = path.replace(/[?#].*$/s, '').replace(/\(\d{1,9}\) : .*$/s, '');
  const isAbsolute = /^(?:[/\\]|[a-z]:[/\\]|file:)/i.test(cleanPath);
  const folders = cleanPath
    .replace(/^[a-z]+:\/{2,3}[^/]*/i, '')
    .split(/[/\\]/)
    .slice(0, -1);
  if (isAbsolute && folders.filter((folder) => folder !== '').length < 3) return file;
  const nearestFolders = folders.slice(isAbsolute ? -1 : -foldersMax).reverse();
  const folder = nearestFolders.find((one) => !plainFolder.test(one));
  if (folder === undefined || !/^[a-z@._()[\]+-]+\d?$/i.test(folder)) return file;
  return `${folder.toLowerCase()}/${file}`;
}

function nativeFunction(frame: StackFrame, name: string): string {
  if (name === '' || /^[-+]\[/.test(name)) return name;
  const isGeneric = name.endsWith('>') && /::<(?!lambda)/.test(name);
  const baseName = oneTemplate(isGeneric ? normalizeRustName(name) : name)
    .replace(/(?<=_block_invoke)(?:_\d{1,6})?(?:\.\d{1,6})?$/, '')
    .replace(/(?:\.(?:cold|isra|part|constprop|llvm)(?:\.\d{1,20})?)+$/, '')
    .replace(/(?: ?\[(?:clone|inlined)[^\]]{0,64}\])+$/, '')
    .replace(/(?<=[\w>~\]])\((?:[^()]|\([^()]{0,256}\)){0,512}\)(?: const)?$/, '');
  return name.includes('::') || (frame.function ?? '').includes('(') ? withoutReturnType(baseName) : baseName;
}

/** `Till::open` for `static bool Till::open`: compilers differ in what they include. */
function withoutReturnType(name: string): string {
  if (!name.includes(' ') || /\boperator\b| (?:in|for|of) /.test(name)) return name;
  return name.replace(/^(?:[\w:]+(?:<T>)?[ *&]+)+(?=[\w~]|\(anonymous namespace\)::)/, '');
}

function oneTemplate(name: string): string {
  let text = name.replace(/`anonymous[ -]namespace'|\{anonymous\}|<unnamed>(?=::)/g, '(anonymous namespace)');
  if (!text.includes('<') || text.includes('operator')) return text;
  for (let depth = 0; depth < 4; depth += 1) {
    const shorter = text.replace(/(?<=\w)<(?:[^<>]|<T>){1,256}>/g, '<T>');
    if (shorter === text) break;
    text = shorter;
  }
  return text;
}

/** `+0x1f40`: the offset in its binary, which does not depend on the load address. */
function offsetOf(frame: StackFrame): string {
  const [at, base] = [parseAddress(frame['instruction_addr']), parseAddress(frame['image_addr'])];
  return at === null || base === null || at < base ? '' : `+0x${(at - base).toString(16)}`;
}

const systemBinary =
  /^\/(?:usr\/lib|System\/|lib\/|lib64\/|usr\/libexec|apex\/|system\/|system_ext\/|vendor\/lib|product\/|Library\/Apple|private\/preboot|Applications\/Xcode)|^[a-z]:\\Windows\\|(?:^|[/\\])(?:libsystem_\w+|libc\+\+(?:abi)?|libc|libm|libdl|libobjc|libdispatch|libswift\w+|ld-linux[\w-]*|libpthread|libstdc\+\+|libgcc_s|libart|libandroid_runtime|libutils|libbinder|libgui|libhwui|linux-(?:gate|vdso)|dyld(?:_sim)?|libxpc|libsqlite3)(?:[-.\d]*\.(?:so|dylib)[.\d]*|\.A?\.dylib)?$|(?:^|[/\\])(?:ntdll|kernel32|kernelbase|ucrtbase\w*|user32|gdi32|msvcp?\w*|vcruntime\w*|combase|rpcrt4|win32u|d3d1[0-2]\w*|dxgi|nvoglv\w*|atio6axx|ig\w+icd\w*)\.(?:dll|sys)$|(?:^|[/\\])(?:CoreFoundation|Foundation|UIKitCore|UIKit|AppKit|SwiftUI|QuartzCore|CFNetwork|GraphicsServices|CoreGraphics|CoreData|Combine|Metal|MetalKit|AGXMetal\w*|IOGPU|IOKit|OpenGLES|GLEngine|libGPUSupport\w*|GPUSupport\w*|WebKit|WebCore|JavaScriptCore|AVFoundation|FrontBoardServices|BaseBoard|UIFoundation|AttributeGraph|Security|HIToolbox)$/i;

export function isSystemBinary(frame: StackFrame): boolean {
  return frame.package !== undefined && systemBinary.test(frame.package);
}

/** Source lines count for the frame of the error, and for unnamed functions. */
export function toGroupingFrame({ frame, file, function: name }: Frame, index: number): GroupingFrame {
  const line = index === 0 ? findThrowLine(frame) : name === '' ? headOf(frame) : '';
  const before = index === 0 ? conditionOf(frame, line) : '';
  return { file, function: name, lines: [before, line].filter((text) => text !== '') };
}

/** The line that creates the error: minifiers may move it away from `throw error`. */
export function findThrowLine(frame: StackFrame): string {
  const line = sourceStatement(frame);
  const thrown = /^throw ([\w$]{1,64});?$/.exec(line)?.[1];
  if (thrown === undefined) return line;
  const creationLine = (frame.pre_context ?? []).findLast((one) => one.includes(` ${thrown} = new `))?.trim();
  return creationLine !== undefined && creationLine.length <= contextCharsMax
    ? creationLine.replaceAll(/\s+/g, ' ')
    : line;
}

/** Minifiers move statements, so an unnamed function is identified by its first line. */
function headOf(frame: StackFrame): string {
  const data = frame['data'];
  const head = isJsonObject(data) ? data['head'] : undefined;
  if (typeof head !== 'string') return sourceStatement(frame);
  return head.length <= contextCharsMax ? head.replaceAll(/\s+/g, ' ') : '';
}

/** The condition before a throw, which distinguishes equal throws of one function. */
function conditionOf(frame: StackFrame, line: string): string {
  if (!/^(?:throw|raise|panic!?\(|return (?:errors\.New|fmt\.Errorf)\()/.test(line)) return '';
  const above = (frame.pre_context ?? []).findLast((one) => one.trim() !== '')?.trim() ?? '';
  return /^(?:\}? ?else )?(?:if|unless|elsif|elif|else if|switch|case|when|catch|except|guard)\b/.test(
    above,
  ) && above.length <= contextCharsMax
    ? above.replaceAll(/\s+/g, ' ')
    : '';
}

export function sourceStatement(frame: StackFrame): string {
  const first = frame.context_line;
  if (first === undefined || first.includes('{snip}')) return '';
  let text = first.trim();
  for (const next of (frame.post_context ?? []).slice(0, statementLines)) {
    if (!/[([,]$/.test(text) || next.includes('{snip}')) break;
    text = `${text} ${next.trim()}`;
  }
  return text.length <= contextCharsMax ? text.replaceAll(/\s+/g, ' ') : '';
}
