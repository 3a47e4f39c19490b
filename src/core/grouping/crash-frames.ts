// Crash handling and shared helpers that throw for their callers: frames that are not the cause.
import type { StackFrame } from '../../../schemas/event.ts';
import { isNativeCrashHandling } from './framework-frames.ts';
import { isCompiled } from './stacks/compiled-names.ts';

/** C, C++ and the operating system: signals, assertions, unwinding, heap corruption. */
const native =
  /^(?:_{0,3}(?:GI_)?(?:abort|raise|gsignal|kill|tgkill|pthread_kill\w*|libc_message\w*|libc_fatal|fortify_fail\w*|stack_chk_fail\w*|chk_fail|assert(?:_fail\w*|_rtn|_perror_fail|2|13)?|wassert|exit|fortify_fatal|longjmp_error|malloc_assert)|malloc_printerr|malloc_error_break|malloc_vreport|malloc_report|malloc_zone_error|free_\w*error\w*|nanozone_\w+|_int_free|munmap_chunk|szone_error|inline_raise|_?purecall|__cxa_(?:throw|rethrow|pure_virtual|bad_cast|begin_catch|call_terminate|call_unexpected)|_?CxxThrowException|_Unwind_\w+|demangling_(?:terminate|unexpected)_handler.*|__(?:clang_)?call_terminate|std::(?:__\w+::)?(?:_{0,2}(?:terminate|unexpected|abort|throw_\w+|rethrow_exception|verbose_terminate_handler|glibcxx_assert_fail)|_X\w+)|__glibcxx_assert_fail|__cxxabiv1::\w+|__gnu_cxx::__verbose_terminate_handler|terminate|(?:_+)?invalid_parameter\w*|_invoke_watson|__(?:fastfail|report_gsfailure|scrt_\w+|crt\w+)|RaiseException|RaiseFailFastException|Rtl\w*(?:Exception|FailFast|ReportFatal)\w*|Ki(?:User\w*Exception\w*|Raise\w*)|UnhandledExceptionFilter|ReportFault|Nt(?:RaiseException|WaitFor\w+|TerminateProcess)|TerminateProcess|g_(?:log\w*|logv|assertion_message\w*|return_if_fail_warning|assert_warning|error)|qt_message_fatal|QMessageLogger::fatal|qt_assert\w*|qFatal|mozalloc_\w*abort|MOZ_Crash\w*|NS_DebugBreak|RustMozCrash)(?:\(.*\))?$/i;
/** Signal trampolines: frames called by these belong to the signal handler. */
const trampoline =
  /^(?:_?_?sigtramp\w*|<signal handler called>|_?_?restore_rt|__kernel_rt_sigreturn|_sigtramp_\w+|KiUserExceptionDispatcher\w*)$/i;
const apple =
  /^(?:objc_exception_(?:throw|rethrow)|_?objc_(?:terminate|fatal)\w*|_objc_fatalv?\w*.*|__exceptionPreprocess|_CFThrowFormattedException|___?forwarding___|_CF_forwarding_prep_0|CFRELEASE\w*|[-+]\[NS(?:Exception|AssertionHandler)\b.*|[-+]\[NSObject\(NSObject\) doesNotRecognizeSelector:\]|_?swift_(?:runtime_\w+|fatalError\w*|unexpectedError|errorInMain|dynamicCastFailure\w*|abort\w*|willThrow\w*|deletedMethodError)|swift::(?:fatalError|crash|swift_abort)\w*(?:\(.*\))?|_swift_stdlib_reportFatalError\w*|(?:Swift\.)?(?:closure #\d{1,3} .{0,300} in (?:Swift\.)?)?_?(?:assertionFailure|fatalErrorMessage|preconditionFailure|fatalError)\b.*|\$sS?s?\d{0,2}_?(?:17_)?(?:assertionFailure|fatalErrorMessage)\w*|Swift runtime failure:.*|specialized _?(?:assertionFailure|fatalErrorMessage)\b.*)$/i;
const panicking =
  /^(?:_?rust_(?:panic\w*|begin_unwind)|__rust_\w*(?:panic|abort|alloc_error)\w*|(?:core|std)::panicking::.*|core::panic::.*|(?:core|std)::(?:option|result)::(?:(?:Option|Result)<.*>::)?(?:expect|unwrap|unwrap_failed|expect_failed|unwrap_err|expect_err|expect_none_failed).*|(?:core::slice|core::str)::.*(?:_fail|_error_fail)\w*.*|std::(?:sys\w*|backtrace|rt|process)::.*(?:abort|panic|backtrace|unwind|handler|exit).*|std::process::abort|alloc::(?:alloc::handle_alloc_error|raw_vec::.*overflow.*)|panic_(?:unwind|abort)::.*|runtime\.(?:gopanic|panic\w*|goPanic\w*|sigpanic\w*|throw|fatal\w*|raise\w*|dieFromSignal|crash|asmcgocall|systemstack|sighandler|sigtrampgo|sigfwdgo|goexit|startpanic_m|dopanic_m|preprintpanics)|panic|panicmem|panicIndex|log\.\(?\*?(?:Logger\)?\.)?(?:Fatal|Panic)\w*|log\.(?:Fatal|Panic)\w*|erlang:(?:error|exit|raise|throw)\/\d|caml_raise\w*)$/i;
const reporters =
  /^(?:_?sentry_\w+|sentry__\w+|sentrycrash\w*|ks(?:crash|cm|crashmonitor)\w*|kscrash\w*|bsg_\w+|bugsnag_\w+|BSG_\w+|FIRCLS\w*|CLS\w*Handler\w*|plcrash_\w+|PLCrash\w*|google_breakpad::.*|crashpad::.*|firebase::crashlytics::.*|mono_(?:handle_native_crash|sigsegv_\w+|assertion_message\w*|dump_native_\w+|handle_\w*signal\w*)|art::(?:Runtime::Abort|JNI::FatalError|JniAbort|.*AbortF?V?|Thread::.*Abort\w*|HandleUnexpectedSignal\w*)\b.*|android::base::(?:LogMessage::~LogMessage|SetAborter|DefaultAborter)\b.*|__android_log_(?:assert|call_aborter)|base::(?:debug|internal)::(?:BreakDebugger\w*|CollectStackTrace|StackTrace).*|base::ImmediateCrash.*|logging::(?:LogMessage\w*::~?\w+|CheckError::~?\w+|RawCheck).*|v8::base::(?:OS::Abort|FatalOOM).*|V8_Fatal.*|v8::(?:internal::)?(?:V8::FatalProcessOutOfMemory|Utils::ReportOOMFailure|Utils::ReportApiFailure).*|node::(?:Abort|Assert|OnFatalError|OOMErrorHandler|FatalError|DumpNativeBacktrace|DumpBacktrace|TriggerUncaughtException|errors::TriggerUncaughtException)\b.*|uncaught_exception_handler|napi_(?:fatal_error|throw\w*)|Napi::(?:Error|TypeError|RangeError)::\w+|__(?:asan|ubsan|tsan|msan|lsan|hwasan)_\w+|__(?:sanitizer|asan|ubsan|tsan|msan|lsan|hwasan)::.*|wrap_(?:free|malloc|realloc|memcpy|memmove|strlen|strcpy)|__interceptor_\w+|___interceptor_\w+|_ZN\d+__(?:sanitizer|asan|ubsan)\w*|__zsan\w*|gpus_\w+|gpu(?:s|sw)?_?(?:Return|Generate|Submit|Kill)\w+|IOGPU\w*|_?MTLDebug\w*|_?MTLReportFailure\w*|MTLReportFailure.*|gpu::GpuWatchdog\w*::.*|.*GpuWatchdogThread.*DeliberatelyTerminate.*|DXGI\w*RemovedReason|amdgpu_\w*abort\w*)$/i;
const checks =
  /^(?:com\.google\.common\.base\.(?:Preconditions|Verify)|kotlin\.jvm\.internal\.Intrinsics|kotlin\.(?:Preconditions|ExceptionsKt|StandardKt)\w*|java\.util\.Objects|org\.springframework\.util\.Assert|org\.apache\.commons\.lang3?\.Validate|androidx\.core\.util\.Preconditions|System\.ThrowHelper|System\.Runtime\.ExceptionServices\.ExceptionDispatchInfo|System\.Runtime\.CompilerServices\.(?:TaskAwaiter|ConfiguredTaskAwaitable)\S*|System\.Diagnostics\.Debug)(?:[.+$]|$)/;

export function isCrashHandling(frame: StackFrame, language: string): boolean {
  const name = frame.function ?? '';
  if (name === '' || name.length > nameCharsMax) return false;
  const bare = /^[\w:~]+(?=\(|\.(?:cold|part|isra|constprop)\b)/.exec(name)?.[0] ?? name;
  return (
    always.some((pattern) => pattern.test(name)) ||
    (bare !== name && (native.test(bare) || panicking.test(bare) || reporters.test(bare))) ||
    checks.test(frame.module ?? '') ||
    checks.test(name) ||
    (isCompiled(frame, language) && isNativeCrashHandling(name, bare))
  );
}

const nameCharsMax = 512;
const always = [native, trampoline, apple, panicking, reporters];

export function isSignalTrampoline(frame: StackFrame): boolean {
  return trampoline.test(frame.function ?? '');
}

const throwing =
  /^(?:invariant|assert\w*|ensure\w*|check(?:Status|Response|Result|Error|Ok|Http\w*|Not\w*|State|Argument\w*|NotNull)?|verify(?:Response|Status|Ok)?|must(?:[A-Z]\w*)?|expect(?:Ok|Status|Defined|Exists)?|unwrap\w*|require(?:NonNull|NotNull|That|True|Some|Value)|raise\w*|raise_\w+|throw(?:If\w*|Error\w*|Http\w*|On\w*|Api\w*|_\w+)?|fail(?:With\w*|If\w*|ed)?|panic\w*|abort(?:If|Unless|_if|_unless)?|die|bail|guard|fetch|handle_?(?:response|error|errors|fail|failure|api_?error|http_?error|result)\w*|parse_?response|process_?response|on_?(?:response|error|failure)|check_?(?:status|response|result|error|http)\w*|assert_?ok|to_?error|to_?exception|make_?error|create_?error|wrap_?error|report_?error|trigger_error|log_?error|_?do_?request|send_?request|make_?request|perform_?request|execute_?request|request|fetch_?json|fetch_?api|api_?fetch|api_?request|api_?call|call_?api|http_?request|request_?json|get_?json|post_?json|with_?retry|retry|retrying|throw_?if\w*|precondition\w*|fatal\w*)$/i;
/** Helpers only in a file whose name says so. */
const carrying =
  /^(?:get|post|put|patch|delete|del|head|send|fetch|query|execute|exec|run|call|invoke|perform|load|dispatch|handle|wrap|wrapper|wrapf?|inner|callback|next|apply|one|all|first|raw|json|read|write|do|error|warn|warning|log|report|capture\w*|notify|track\w*)$/i;
const helperFile =
  /(?:^|[./\\_-]|(?<=[a-z])(?=[A-Z]))(?:api|http|https|rest|client|request|requests|fetch|fetcher|axios|ajax|xhr|db|database|sql|pdo|wpdb|util|utils|helper|helpers|invariant|assert|assertions|guard|guards|ensure|errs?|errors?|retry|transport|gateway|connection|query|logs?|logger|logging|report(?:er|ing)?|sentry|telemetry|tracking|monitor(?:ing)?)(?=$|[._-]|[A-Z]|(?:client|helper|utils?|service|request)(?:$|\.))/i;

/** Whether the caller identifies an error thrown here. */
export function isSharedHelper(name: string, file: string): boolean {
  const bare = (/[^.:#>]*$/.exec(name)?.[0] ?? name).replace(/^_+|[!?]$/g, '');
  return throwing.test(bare) || (carrying.test(bare) && helperFile.test(file));
}

/** Ways in which a program ends itself: the signal depends on the processor, not on the fault. */
const endings =
  /^(?:EXC_(?:CRASH|BREAKPOINT|BAD_INSTRUCTION)|SIG(?:ABRT|TRAP|ILL|KILL)|abort|fatal error|EXCEPTION_(?:BREAKPOINT|ILLEGAL_INSTRUCTION))$/i;

/** SIGABRT always; others where the stack has frames of crash handling. */
export function isSelfTermination(type: string, hasCrashing: boolean): boolean {
  return endings.test(type) && (hasCrashing || /^(?:SIG)?ABRT$|^abort$/i.test(type));
}
