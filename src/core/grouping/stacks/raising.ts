// Where a language raises: from that frame inwards run its own machinery, the hooks of the program and the
// SDK that reports, whatever `in_app` says of them. Part of `ng2` (docs/grouping.md, "Frames"). Patterns
// are linear; names are at most 512 characters long. What only throws for its caller is in dying.ts.
import type { StackFrame } from '../../../../schemas/event.ts';
import { crateOf, isCompiled, isRust, plainRustName } from './compiled-names.ts';

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
