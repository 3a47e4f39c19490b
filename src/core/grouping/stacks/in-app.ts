// Tells library and SDK frames by their location. Patterns are linear.
import type { StackFrame } from '../../../../schemas/event.ts';
import { crateOf, isCompiled, isRust } from './compiled-names.ts';

/** Install locations of package managers and languages, for every platform. */
const libraryPaths = [
  // Go's module cache.
  /(?:^|[/\\])pkg[/\\]mod[/\\]/,
  /[/\\]\.?cargo[/\\](?:registry|git)[/\\]|[/\\]rustlib[/\\]src[/\\]|(?:^|[/\\])rustc[/\\][0-9a-f]{8,64}[/\\]|^library[/\\](?:std|core|alloc)[/\\]/,
  // Python on Windows; Swift and Objective-C packages.
  /[/\\]Python\d{0,3}[/\\]Lib[/\\]|[/\\]python\d{2,3}\.zip[/\\]|[/\\](?:Pods|Carthage[/\\]Checkouts|\.build[/\\]checkouts|SourcePackages[/\\]checkouts)[/\\]/,
  // PyPy, PDM; system packages of PHP, Ruby, Perl and Lua; Ruby's built-in code.
  /[/\\]lib[/\\]pypy\d|[/\\]__pypackages__[/\\]|^\/usr\/share\/(?:php|ruby|lua)\/|^\/usr\/(?:local\/)?(?:share|lib\/[\w-]{1,64})\/perl5?\/|[/\\]lualib[/\\]|^<internal:/,
  // Yarn PnP, Deno and Bun: caches, built-in code, registries.
  /[/\\]\.yarn[/\\](?:cache|unplugged|__virtual__)[/\\]|[/\\](?:\.cache|Caches|Local)[/\\]deno[/\\]|[/\\]deno-dir[/\\]|[/\\]\.bun[/\\]install[/\\]|^(?:ext|deno|bun|jsr|npm):|^https:\/\/(?:deno\.land\/(?:std|x)\b|jsr\.io\/|esm\.sh\/|unpkg\.com\/|cdn\.jsdelivr\.net\/npm\/|cdnjs\.cloudflare\.com\/)/,
  // Bazel, Nix, Mix, NuGet, Maven, Gradle.
  /(?:^|[/\\])external[/\\](?:\w{1,64}(?:__|[~+])|(?:com|org|io|net|in_gopkg|pypi|npm|maven|crates?)_|maven[/\\])|[/\\]cargo-vendor-dir[/\\]|(?:^|[/\\])deps[/\\]\w{1,64}[/\\](?:lib|src)[/\\][^:]{1,256}\.(?:ex|erl)$|[/\\]\.nuget[/\\]packages[/\\]|[/\\]\.m2[/\\]repository[/\\]|[/\\]\.gradle[/\\]caches[/\\]/,
] as const;

/** sentry-go 0.50, sentry-sdk 2.75, sentry-java 8.64, and older names. */
const sdkModules: Readonly<Record<string, RegExp>> = {
  go: /^github\.com\/getsentry\/(?:sentry-go|raven-go)(?:\/|$)/,
  python: /^(?:sentry_sdk|raven|pytest_sentry|structlog_sentry)(?:\.|$)/,
  java: /^io\.sentry\.(?!samples?\.)/,
  csharp: /^Sentry(?:\.(?!Samples?\b)|$)/,
};
const sdkPath =
  /[/\\]node_modules[/\\]@sentry(?:-internal)?[/\\]|[/\\]vendor[/\\]sentry[/\\]sentry|[/\\]gems[/\\]sentry-|^package:sentry(?:_\w{1,32})?\/|[/\\]getsentry[/\\]sentry-go(?:@v[^/\\]{1,64})?[/\\]/;
/** Crates of sentry 0.49.5. */
const sdkCrate =
  /^sentry(?:_(?:actix|anyhow|arc|backtrace|contexts|core|debug_images|log|opentelemetry|panic|slog|tower|tracing|types))?$/;

export function isSdkFrame(frame: StackFrame, language: string): boolean {
  const path = frame.abs_path ?? frame.filename ?? '';
  if (sdkPath.test(path)) return true;
  if (isCompiled(frame, language)) return sdkCrate.test(crateOf(frame.function ?? ''));
  return sdkModules[language]?.test(frame.module ?? '') === true;
}

/** Rust's own crates, and those that wrap or create errors. */
const rustCrate =
  /^(?:std|core|alloc|proc_macro|test|__rustc|backtrace|anyhow|eyre|color_eyre|stable_eyre|failure|error_chain|snafu|miette|error_stack)$/;
const rustRuntime =
  /^(?:tokio|tokio_util|futures|futures_\w+|async_std|async_executor|smol|rayon|rayon_core|crossbeam\w*|hyper|hyper_util|tower|tower_\w+|axum|axum_core|actix\w*|rocket|warp|tonic|tracing|tracing_\w+|serde|serde_json|reqwest|h2)$/;

/** By crate, whatever in_app says. */
export function isRustLibrary(frame: StackFrame, language: string): boolean {
  if (!isCompiled(frame, language)) return false;
  const crate = crateOf(frame.function ?? '');
  return (rustCrate.test(crate) || rustRuntime.test(crate)) && isRust(frame, language, crate);
}

const goPackage =
  /^(?:archive|bufio|builtin|bytes|cmp|compress|container|context|crypto|database|debug|embed|encoding|errors|expvar|flag|fmt|go|hash|html|image|index|internal|io|iter|log|maps|math|mime|net|os|path|plugin|reflect|regexp|runtime|slices|sort|strconv|strings|structs|sync|syscall|testing|text|time|unicode|unique|unsafe|vendor|weak)(?:\/|$)/;

function isGoLibrary({ module, abs_path, filename }: StackFrame): boolean {
  const path = (abs_path ?? filename ?? '').replaceAll('\\', '/');
  if (module === undefined || module === '') {
    const inRoot = /\/(?:go|go\d[\w.]{0,16}|libexec)\/src\/(.{1,256})\/[^/]{1,128}\.(?:go|s)$/i.exec(
      path,
    )?.[1];
    return inRoot !== undefined && goPackage.test(inRoot);
  }
  if (!goPackage.test(module)) return false;
  const folder = path.slice(0, path.lastIndexOf('/'));
  return folder === module || folder.endsWith(`/src/${module}`);
}

/** A Go module with its version, as `-trimpath` writes it: a library, or an app installed by version. */
export function isVersionedModule({ abs_path, filename }: StackFrame): boolean {
  return /^[\w.-]{1,128}\.[a-z]{2,16}\/[^@\s]{1,256}@v\d/.test(abs_path ?? filename ?? '');
}

export function isLibraryFrame(frame: StackFrame, language: string): boolean {
  const { abs_path = '', filename = '' } = frame;
  if (libraryPaths.some((pattern) => pattern.test(abs_path) || pattern.test(filename))) return true;
  if (language === 'go' && isGoLibrary(frame)) return true;
  return isLibraryPath(frame, language) || isRustLibrary(frame, language);
}

const scriptLibraries =
  /(?:^|[/\\])(?:node_modules|bower_components|jspm_packages)[/\\]|^node:|^internal\/|^webpack\/(?:bootstrap|runtime)|^(?:webpack|rollup|vite):\/\/[^/]*\/(?:webpack\/|\.\/node_modules\/)|^(?:chrome|moz|safari|safari-web|ms-browser|edge)-extension:\/\/|^(?:resource|chrome|about|webkit-masked-url):\/\/|[/\\](?:@vite|@react-refresh)[/\\]?|(?:^|[/\\])(?:jquery|zone|polyfills?|react-dom|vendors?|chunk-vendors)(?:[.~_-][^/\\]*)?\.(?:m?js|ts)(?:[?#]|$)/i;
const otherLibraries =
  /(?:^|[/\\])(?:vendor|node_modules|site-packages|dist-packages|wp-includes|wp-admin|gems|bundled_gems)[/\\]|(?:^|[/\\])(?:lib|lib64)[/\\](?:python|ruby|perl)\d?|^<frozen |[/\\]go[/\\]pkg[/\\]mod[/\\]|[/\\]go[/\\]src[/\\]runtime[/\\]|[/\\]\.cargo[/\\]registry[/\\]|^[/\\]rustc[/\\]|^phar:\/\/|^dart:|^package:(?:flutter|sentry|sentry_flutter)\/|[/\\]\.pub-cache[/\\]/i;
const libraryModules =
  /^(?:java|javax|jdk|sun|com\.sun|jakarta|kotlin|kotlinx|scala|groovy|org\.(?:springframework|apache|hibernate|eclipse|jboss|codehaus)|io\.(?:netty|undertow)|android|androidx|dalvik|System|Microsoft|runtime|reflect|net\/http|testing)(?:[./]|$)/;

function isLibraryPath(frame: StackFrame, platform: string): boolean {
  const paths = [frame.abs_path ?? '', frame.filename ?? ''];
  const language = frame.platform ?? platform;
  if (paths.some((path) => otherLibraries.test(path))) return true;
  if (language === 'javascript' || language === 'node') {
    return paths.some((path) => scriptLibraries.test(path));
  }
  return (
    ['java', 'csharp', 'go', 'groovy', 'kotlin'].includes(language) && libraryModules.test(frame.module ?? '')
  );
}
