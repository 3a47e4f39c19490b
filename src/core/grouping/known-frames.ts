// What the names of a frame say by themselves, wherever it stands: whether it speaks for a fault, whose it
// is, how it is written. Frames come again with nearly every event, so it is found out once and remembered.
// Part of `ng2` (docs/grouping.md, "Frames"). What depends on lines, maps or other frames is in frames.ts.
import type { StackFrame } from '../../../schemas/event.ts';
import { ownCopy, remembered } from '../reading/remembered.ts';
import { isDying, isSharedHelper, isTrampoline } from './dying.ts';
import { isBeneath } from './machinery.ts';
import { isMadeByMinifier } from './minified.ts';
import { isCompilerWrapper } from './names/function-names.ts';
import { crateOf, isCompiled, isRust, plainRustName } from './stacks/compiled-names.ts';
import { isJavaScript } from './stacks/frame.ts';
import { isLibrary, isOfSdk, isRustLibrary } from './stacks/libraries.ts';
import { isSystemBinary, type WrittenNames, writtenNames } from './written-frames.ts';

/**
 * Markers, each with the version in whose stacks it was seen, `documented` where it is known from documents
 * alone. A module is asked in front of a name, too.
 */
type Markers = ReadonlyArray<readonly [seenIn: string, name: RegExp]>;

/** Below these Rust only waits for a panic: every thread and every task of a runtime begins in one. */
const catching = /^std::panicking::(?:r#)?(?:try|catch_unwind)\b|__rust_begin_short_backtrace/;

const rust: Markers = [
  ['rustc 1.95', /^(?:__rustc::|_)?rust_begin_unwind$/],
  ['rustc 1.95', /^core::panicking::/],
  ['rustc 1.95', /^std::panicking::|^std::panic::panic_any$/],
  ['rustc 1.95', /^std::sys::backtrace::__rust_end_short_backtrace$/],
  ['documented', /^std::sys_common::backtrace::__rust_end_short_backtrace$|^std::panic::resume_unwind$/],
  ['documented', /^std::process::abort$|^std::alloc::rust_oom$|^std::rt::rtabort$/],
  // Where nothing is inlined.
  ['rustc 1.95', /^<?core::(?:option::Option|result::Result)<.*>::(?:unwrap|expect)(?:_err)?$/],
  // The body of `panic_already_borrowed`, `len_mismatch_fail` and their like.
  ['rustc 1.95', /^(?:core|alloc|std)::.*::do_panic(?:::runtime)?$/],
];
/**
 * Last members of names of Rust's own crates, wherever these have them: `unwrap_failed`, `slice_index_fail`,
 * `slice_error_fail_rt`, `handle_alloc_error`, `panic_already_borrowed`. rustc 1.95.
 */
const rustFailing =
  /^(?:\w+_fail(?:ed)?(?:_rt|_ct)?|capacity_overflow|handle_(?:alloc_)?error|panic(?:_\w+)?)$/;

const go: Markers = [
  // sentry-go leaves out frames of `runtime`; other clients send them.
  ['documented', /^runtime\.(?:gopanic|panic\w*|goPanic\w*|sigpanic\w*|throw|fatal\w*|raise\w*)$/],
  // As Go prints it.
  ['documented', /^panic$/],
];

const apple: Markers = [
  ['documented', /^(?:Swift\.)?_?(?:assertionFailure|preconditionFailure|fatalErrorMessage)\b/],
  [
    'documented',
    /^_?swift_(?:unexpectedError|errorInMain|fatalError\w*|runtime_(?:on_report|unreachable)\w*)$/,
  ],
  ['documented', /^(?:objc_exception_throw|__exceptionPreprocess)$/],
];

/** PHP asks a handler for the error of a warning: the exception is made there, and its stack begins there. */
const php: Markers = [
  [
    'documented',
    /^\\?(?:Symfony\\Component\\ErrorHandler\\ErrorHandler|Illuminate\\Foundation\\Bootstrap\\HandleExceptions|yii\\base\\ErrorHandler|Cake\\Error\\ErrorTrap|Whoops\\Run|Tracy\\Debugger|Sentry\\ErrorHandler)(?:::|->)(?:handle(?:Php)?Error|errorHandler)$/,
  ],
];

const dart: Markers = [
  ['documented', /^_(?:Assertion|Type)Error\._?(?:doT|t)hrowNew\w*$/],
  ['documented', /^(?:(?:Object\.)?wrapException|_?throwExpression\w*)$/],
];

/** C# has helpers that only throw: its own collections call them. */
const dotnet: Markers = [['documented', /^System\.(?:\w+\.){0,4}ThrowHelper\b/]];

/** One table a language; a language without one leaves no frame where it raises. */
const raising: Readonly<Record<string, Markers>> = {
  go,
  php,
  dart,
  flutter: dart,
  csharp: dotnet,
  fsharp: dotnet,
  vb: dotnet,
  dotnet,
};

const nameCharsMax = 512;

/** The members of a frame that name something, and whether it has an address. */
type FrameNames = Readonly<
  Record<'function' | 'filename' | 'abs_path' | 'module' | 'package', string | undefined> & {
    instruction_addr: true | undefined;
  }
>;

/** The names of a frame in its language, and what was found out of them so far. */
export interface KnownFrame {
  readonly names: FrameNames;
  readonly language: string;
  speech: Speech | null;
  isForeign: boolean | null;
  isCarriedPath: boolean | null;
  isCarriedModule: boolean | null;
  isMade: boolean | null;
  isHelper: boolean | null;
  written: WrittenNames | null;
}

/** What a frame is to a fault. */
export interface Speech {
  /** Where a signal interrupted the program. */
  readonly isInterrupt: boolean;
  /** Where a language raises: nothing from there inwards counts. */
  readonly isRaising: boolean;
  /** Whether it shows that a compiler has written `await` in other words. */
  readonly isAwaiter: boolean;
  /** `beneath` lies beneath everybody's code: its caller tells the fault, as with `dying`. */
  readonly kind: 'silent' | 'beneath' | 'dying' | 'speaking';
  /** Whether beside an awaiter it is one of its steps, and says nothing. */
  readonly isStep: boolean;
}

const frames = remembered<KnownFrame>({ textsMax: 4096, charactersMax: 500 });

/** What is known of a frame of that language: of one that was seen before, or nothing yet. */
export function knownFrame(frame: StackFrame, language: string): KnownFrame {
  const { function: name, filename, abs_path: path, module, package: binary } = frame;
  const text = `${name}\n${filename}\n${path}\n${module}\n${binary}`;
  const found = frames.recall(text);
  if (found !== undefined && isOf(found, frame, language)) return found;
  const own = frames.keeps(text) ? copied : asIs;
  return frames.keep(text, {
    names: {
      function: own(name),
      filename: own(filename),
      abs_path: own(path),
      module: own(module),
      package: own(binary),
      instruction_addr: hasAddress(frame),
    },
    language: ownCopy(language),
    speech: null,
    isForeign: null,
    isCarriedPath: null,
    isCarriedModule: null,
    isMade: null,
    isHelper: null,
    written: null,
  });
}

/** A text that names one frame may name another: what is known counts for these names alone. */
function isOf({ names, language: known }: KnownFrame, frame: StackFrame, language: string): boolean {
  return (
    known === language &&
    names.function === frame.function &&
    names.filename === frame.filename &&
    names.abs_path === frame.abs_path &&
    names.module === frame.module &&
    names.package === frame.package &&
    names.instruction_addr === hasAddress(frame)
  );
}

function copied(text: string | undefined): string | undefined {
  return text === undefined ? undefined : ownCopy(text);
}

function asIs(text: string | undefined): string | undefined {
  return text;
}

function hasAddress(frame: StackFrame): true | undefined {
  return frame['instruction_addr'] === undefined ? undefined : true;
}

export function speechOf(known: KnownFrame): Speech {
  known.speech ??= {
    isInterrupt: isTrampoline(known.names),
    isRaising: isRaising(known.names, known.language),
    isAwaiter: awaiter.test(known.names.function ?? ''),
    kind: kindOf(known),
    isStep: isWrapper(known.names.function ?? '', known.language, true),
  };
  return known.speech;
}

const awaiter = /^(?:__awaiter|Generator\.next|_?asyncToGenerator)$/;

/** Without what names nothing: native code, wrappers, and what a program runs through while it dies. */
function kindOf({ names, language }: KnownFrame): Speech['kind'] {
  const { function: name = '', filename = '' } = names;
  if (isNativePath(filename) || isNativePath(names.abs_path ?? filename)) return 'silent';
  if (isWrapper(name, language, false) || isModuleLoader(names)) return 'silent';
  if (isCompilerWrapper(names, language)) return 'silent';
  if (isOfSdk(names, language)) return 'silent';
  if (isDying(names, language)) return 'dying';
  if (isCompiled(names, language) && isBeneath(name)) return 'beneath';
  return saysSomething(names) ? 'speaking' : 'silent';
}

function saysSomething({ filename, abs_path, module, function: name, package: binary }: FrameNames): boolean {
  return [filename, abs_path, module, name, binary].some((text) => text !== undefined && text !== '');
}

/** What a bundler runs around a module, and what Python runs for `-c` and for a process that it spawns. */
function isModuleLoader(frame: FrameNames): boolean {
  if (frame.filename === '<string>') return frame.function === '<module>';
  return /^(?:__webpack_require__|__nccwpck_require__|__require\d?|__commonJS|__esm|__vite_ssr_\w+|__turbopack_\w+)$/.test(
    frame.function ?? '',
  );
}

/** Whether it is code of others, by where it lies. */
export function isForeign(known: KnownFrame): boolean {
  known.isForeign ??= isLibrary(known.names, known.language) || isSystemBinary(known.names);
  return known.isForeign;
}

/** Whether it is code of others although its SDK says otherwise: those of Go and Rust know only their own. */
export function isForeignWhateverIsSaid(known: KnownFrame): boolean {
  return known.language === 'go' ? isForeign(known) : isRustLibrary(known.names, known.language);
}

/** Code that is carried along: schedulers inside plugins, middleware around every job, cloud runtimes. */
const carried =
  /[\\/]action-scheduler[\\/]|[\\/]\w{0,32}middlewares?[\\/]|^(?:file:\/\/)?\/var\/runtime\/|[\\/]wp-includes[\\/]|^app:\/\/\/?node_modules\/|third_party[\\/]dart[\\/]sdk[\\/]|^org-dartlang-sdk:/i;
/** Frameworks and proxies of the JVM, where no SDK says which frames are the application's own. */
const carriedModule =
  /^(?:net\.(?:sf\.cglib|bytebuddy)|javassist|com\.(?:sun|fasterxml|android|zaxxer|mchange|mysql|mongodb|netflix|rabbitmq|google\.(?:common|gson|inject|protobuf)|github\.benmanes|microsoft\.sqlserver)|ch\.qos\.logback|akka|cats|clojure|dagger|feign|okio|okhttp3|oracle\.(?:jdbc|net)|play\.(?:api|core|mvc)|reactor|redis\.clients|retrofit2|rx|slick|zio|io\.(?:ktor|reactivex|opentelemetry|sentry|micrometer|grpc|lettuce|micronaut|quarkus|smallrye|vertx|getquill)|org\.(?:aopalliance|aspectj|glassfish|postgresql|flywaydb|gradle|h2|http4s|jooq|junit|mariadb|mockito|mybatis|quartz|redisson|scalatra|slf4j|sqlite|testng|thymeleaf))\./;

/** Whether it is code that is carried along; `isSaid` to be the application's own by its SDK. */
export function isCarried(known: KnownFrame, isSaid: boolean): boolean {
  known.isCarriedPath ??= carried.test(known.names.abs_path ?? known.names.filename ?? '');
  if (known.isCarriedPath) return true;
  known.isCarriedModule ??= carriedModule.test(known.names.module ?? '');
  return !isSaid && known.isCarriedModule;
}

/** How its names are written in a key. */
export function namesOf(known: KnownFrame): WrittenNames {
  known.written ??= writtenNames(known.names, known.language);
  return known.written;
}

/** Whether a shrinker drew its names; `name` is its function as it is written. */
export function isMadeName(known: KnownFrame, name: string): boolean {
  if (name !== namesOf(known).function) return isMadeByMinifier(known.names, known.language, name);
  known.isMade ??= isMadeByMinifier(known.names, known.language, name);
  return known.isMade;
}

/** Whether an error thrown there is told by its caller; `name` is its function as it is written. */
export function isHelper(known: KnownFrame, name: string): boolean {
  const written = namesOf(known);
  if (name !== written.function) return isSharedHelper(name, written.file);
  known.isHelper ??= isSharedHelper(name, written.file);
  return known.isHelper;
}

/** Places that are no file: code of the engine itself, eval, and scripts that a browser does not name. */
function isNativePath(path: string): boolean {
  return /^(?:<anonymous>|<unknown>|anonymous|self-hosted|\[?native(?: code)?\]?|native code|eval at .*|eval code|evalmachine\.<anonymous>)$/i.test(
    path,
  );
}

const scriptWrappers = new Set([
  'eval',
  'eval code',
  'native',
  'sentryWrapped',
  'processTicksAndRejections',
  'process.processTicksAndRejections',
  'runMicrotasks',
  'asyncGeneratorStep',
  '_asyncToGenerator',
  '__awaiter',
  '__generator',
  '_next',
  '_throw',
  'Generator.next',
  'Generator.throw',
  'Generator.invoke',
  'Generator._invoke',
]);
const awaiterSteps = new Set(['step', 'fulfilled', 'rejected', 'adopt', 'verb', 'Object.next', 'tryCatch']);
const reflectionModules =
  /^(?:GeneratedMethodAccessor|NativeMethodAccessorImpl|DelegatingMethodAccessorImpl|DirectMethodHandleAccessor)/;

function isWrapper(name: string, platform: string, awaits: boolean): boolean {
  if (isJavaScript(platform)) return scriptWrappers.has(name) || (awaits && awaiterSteps.has(name));
  return reflectionModules.test(name);
}

/** Whether a language raises in that frame. */
export function isRaising(frame: StackFrame, language: string): boolean {
  const { function: name = '', module = '' } = frame;
  if (name === '' || name.length > nameCharsMax || module.length > nameCharsMax) return false;
  const names = module === '' ? [name] : [name, `${module}.${name}`];
  const has = (markers: Markers) => markers.some(([, marker]) => names.some((one) => marker.test(one)));
  if (!isCompiled(frame, language)) return has(raising[language] ?? []);
  return has(apple) || isRaisingOfRust(frame, language);
}

function isRaisingOfRust(frame: StackFrame, language: string): boolean {
  const name = plainRustName(frame.function ?? '');
  if (catching.test(name)) return false;
  if (rust.some(([, marker]) => marker.test(name))) return true;
  const crate = crateOf(name);
  if (!/^(?:core|alloc|std)$/.test(crate) || !isRust(frame, language, crate)) return false;
  return rustFailing.test(name.slice(name.lastIndexOf('::') + 2));
}
