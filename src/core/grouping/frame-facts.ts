// Facts that depend only on the names of a frame. Cached, since frames repeat in nearly every event.
import type { StackFrame } from '../../../schemas/event.ts';
import { copyText, createMemoCache } from '../parsing/memo-cache.ts';
import {
  isCrashHandling,
  isRuntimeFunction,
  isSharedHelper,
  isSignalTrampoline,
} from './framework-frames.ts';
import { isShrunkFrame } from './minified-names.ts';
import { isCompilerWrapper } from './names/function-names.ts';
import { isSystemBinary, type NormalizedNames, normalizeFrameNames } from './normalize-frame.ts';
import { crateOf, isCompiled, isRust, normalizeRustName } from './stacks/compiled-names.ts';
import { isJavaScript } from './stacks/frame.ts';
import { isLibraryFrame, isRustLibrary, isSdkFrame } from './stacks/in-app.ts';

/** Each with the version whose stack had it, or `documented`. */
type Markers = ReadonlyArray<readonly [seenIn: string, name: RegExp]>;

/** Every Rust thread and task starts in one of these. */
const catchingFunctions = /^std::panicking::(?:r#)?(?:try|catch_unwind)\b|__rust_begin_short_backtrace/;

const rust: Markers = [
  ['rustc 1.95', /^(?:__rustc::|_)?rust_begin_unwind$/],
  ['rustc 1.95', /^core::panicking::/],
  ['rustc 1.95', /^std::panicking::|^std::panic::panic_any$/],
  ['rustc 1.95', /^std::sys::backtrace::__rust_end_short_backtrace$/],
  ['documented', /^std::sys_common::backtrace::__rust_end_short_backtrace$|^std::panic::resume_unwind$/],
  ['documented', /^std::process::abort$|^std::alloc::rust_oom$|^std::rt::rtabort$/],
  ['rustc 1.95', /^<?core::(?:option::Option|result::Result)<.*>::(?:unwrap|expect)(?:_err)?$/],
  ['rustc 1.95', /^(?:core|alloc|std)::.*::do_panic(?:::runtime)?$/],
];
/** Last part of names in Rust's own crates: `unwrap_failed`, `slice_index_fail`, `handle_alloc_error`. rustc 1.95. */
const rustFailing =
  /^(?:\w+_fail(?:ed)?(?:_rt|_ct)?|capacity_overflow|handle_(?:alloc_)?error|panic(?:_\w+)?)$/;

const go: Markers = [
  // sentry-go leaves out frames of `runtime`; other clients send them.
  ['documented', /^runtime\.(?:gopanic|panic\w*|goPanic\w*|sigpanic\w*|throw|fatal\w*|raise\w*)$/],
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

/** The exception of a PHP warning is created in an error handler, so its stack starts there. */
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

const dotnet: Markers = [['documented', /^System\.(?:\w+\.){0,4}ThrowHelper\b/]];

/** Languages without an entry have no such frames. */
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

type FrameNames = Readonly<
  Record<'function' | 'filename' | 'abs_path' | 'module' | 'package', string | undefined> & {
    instruction_addr: true | undefined;
  }
>;

/** Results are computed on first use. */
export interface FrameFacts {
  readonly names: FrameNames;
  readonly language: string;
  speech: FrameRole | null;
  isForeign: boolean | null;
  isCarriedPath: boolean | null;
  isCarriedModule: boolean | null;
  isMade: boolean | null;
  isHelper: boolean | null;
  written: NormalizedNames | null;
}

export interface FrameRole {
  readonly isInterrupt: boolean;
  /** This and later frames are left out. */
  readonly isRaising: boolean;
  readonly isAwaiter: boolean;
  /** `beneath`: runtime code, where the caller identifies the error, as for `dying`. */
  readonly kind: 'silent' | 'beneath' | 'dying' | 'speaking';
  readonly isStep: boolean;
}

const frames = createMemoCache<FrameFacts>({ textsMax: 4096, charactersMax: 500 });

export function getFrameFacts(frame: StackFrame, language: string): FrameFacts {
  const { function: name, filename, abs_path: path, module, package: binary } = frame;
  const text = `${name}\n${filename}\n${path}\n${module}\n${binary}`;
  const found = frames.find(text);
  if (found !== undefined && isOf(found, frame, language)) return found;
  const prepareText = frames.accepts(text) ? copied : asIs;
  return frames.set(text, {
    names: {
      function: prepareText(name),
      filename: prepareText(filename),
      abs_path: prepareText(path),
      module: prepareText(module),
      package: prepareText(binary),
      instruction_addr: hasAddress(frame),
    },
    language: copyText(language),
    speech: null,
    isForeign: null,
    isCarriedPath: null,
    isCarriedModule: null,
    isMade: null,
    isHelper: null,
    written: null,
  });
}

/** Different frames may have the same cache key. */
function isOf({ names, language: known }: FrameFacts, frame: StackFrame, language: string): boolean {
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
  return text === undefined ? undefined : copyText(text);
}

function asIs(text: string | undefined): string | undefined {
  return text;
}

function hasAddress(frame: StackFrame): true | undefined {
  return frame['instruction_addr'] === undefined ? undefined : true;
}

export function getFrameRole(known: FrameFacts): FrameRole {
  known.speech ??= {
    isInterrupt: isSignalTrampoline(known.names),
    isRaising: isRaisingFrame(known.names, known.language),
    isAwaiter: awaiter.test(known.names.function ?? ''),
    kind: kindOf(known),
    isStep: isWrapper(known.names.function ?? '', known.language, true),
  };
  return known.speech;
}

const awaiter = /^(?:__awaiter|Generator\.next|_?asyncToGenerator)$/;

function kindOf({ names, language }: FrameFacts): FrameRole['kind'] {
  const { function: name = '', filename = '' } = names;
  if (isNativePath(filename) || isNativePath(names.abs_path ?? filename)) return 'silent';
  if (isWrapper(name, language, false) || isModuleLoader(names)) return 'silent';
  if (isCompilerWrapper(names, language)) return 'silent';
  if (isSdkFrame(names, language)) return 'silent';
  if (isCrashHandling(names, language)) return 'dying';
  if (isCompiled(names, language) && isRuntimeFunction(name)) return 'beneath';
  return hasAnyName(names) ? 'speaking' : 'silent';
}

function hasAnyName({ filename, abs_path, module, function: name, package: binary }: FrameNames): boolean {
  return [filename, abs_path, module, name, binary].some((text) => text !== undefined && text !== '');
}

/** Bundler runtime, and Python code run by `-c` or in a spawned process. */
function isModuleLoader(frame: FrameNames): boolean {
  if (frame.filename === '<string>') return frame.function === '<module>';
  return /^(?:__webpack_require__|__nccwpck_require__|__require\d?|__commonJS|__esm|__vite_ssr_\w+|__turbopack_\w+)$/.test(
    frame.function ?? '',
  );
}

/** Library or system code, by location. */
export function isThirdPartyFrame(known: FrameFacts): boolean {
  known.isForeign ??= isLibraryFrame(known.names, known.language) || isSystemBinary(known.names);
  return known.isForeign;
}

/** Overrides in_app: the SDKs of Go and Rust mark only known libraries. */
export function isThirdPartyFrameDespiteInApp(known: FrameFacts): boolean {
  return known.language === 'go' ? isThirdPartyFrame(known) : isRustLibrary(known.names, known.language);
}

/** Bundled third-party code: schedulers in plugins, middleware, cloud runtimes. */
const bundledCode =
  /[\\/]action-scheduler[\\/]|[\\/]\w{0,32}middlewares?[\\/]|^(?:file:\/\/)?\/var\/runtime\/|[\\/]wp-includes[\\/]|^app:\/\/\/?node_modules\/|third_party[\\/]dart[\\/]sdk[\\/]|^org-dartlang-sdk:/i;
/** JVM frameworks and proxies, whose SDK does not set in_app. */
const bundledModule =
  /^(?:net\.(?:sf\.cglib|bytebuddy)|javassist|com\.(?:sun|fasterxml|android|zaxxer|mchange|mysql|mongodb|netflix|rabbitmq|google\.(?:common|gson|inject|protobuf)|github\.benmanes|microsoft\.sqlserver)|ch\.qos\.logback|akka|cats|clojure|dagger|feign|okio|okhttp3|oracle\.(?:jdbc|net)|play\.(?:api|core|mvc)|reactor|redis\.clients|retrofit2|rx|slick|zio|io\.(?:ktor|reactivex|opentelemetry|sentry|micrometer|grpc|lettuce|micronaut|quarkus|smallrye|vertx|getquill)|org\.(?:aopalliance|aspectj|glassfish|postgresql|flywaydb|gradle|h2|http4s|jooq|junit|mariadb|mockito|mybatis|quartz|redisson|scalatra|slf4j|sqlite|testng|thymeleaf))\./;

export function isBundledThirdParty(known: FrameFacts, isSaid: boolean): boolean {
  known.isCarriedPath ??= bundledCode.test(known.names.abs_path ?? known.names.filename ?? '');
  if (known.isCarriedPath) return true;
  known.isCarriedModule ??= bundledModule.test(known.names.module ?? '');
  return !isSaid && known.isCarriedModule;
}

export function getNormalizedNames(known: FrameFacts): NormalizedNames {
  known.written ??= normalizeFrameNames(known.names, known.language);
  return known.written;
}

export function isGeneratedName(known: FrameFacts, name: string): boolean {
  if (name !== getNormalizedNames(known).function) return isShrunkFrame(known.names, known.language, name);
  known.isMade ??= isShrunkFrame(known.names, known.language, name);
  return known.isMade;
}

export function isThrowingHelper(known: FrameFacts, name: string): boolean {
  const written = getNormalizedNames(known);
  if (name !== written.function) return isSharedHelper(name, written.file);
  known.isHelper ??= isSharedHelper(name, written.file);
  return known.isHelper;
}

/** Engine code, eval, and scripts without a name. */
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

export function isRaisingFrame(frame: StackFrame, language: string): boolean {
  const { function: name = '', module = '' } = frame;
  if (name === '' || name.length > nameCharsMax || module.length > nameCharsMax) return false;
  const names = module === '' ? [name] : [name, `${module}.${name}`];
  const has = (markers: Markers) => markers.some(([, marker]) => names.some((one) => marker.test(one)));
  if (!isCompiled(frame, language)) return has(raising[language] ?? []);
  return has(apple) || isRaisingOfRust(frame, language);
}

function isRaisingOfRust(frame: StackFrame, language: string): boolean {
  const name = normalizeRustName(frame.function ?? '');
  if (catchingFunctions.test(name)) return false;
  if (rust.some(([, marker]) => marker.test(name))) return true;
  const crate = crateOf(name);
  if (!/^(?:core|alloc|std)$/.test(crate) || !isRust(frame, language, crate)) return false;
  return rustFailing.test(name.slice(name.lastIndexOf('::') + 2));
}
