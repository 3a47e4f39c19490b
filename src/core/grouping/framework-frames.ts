// Frames of compiled code that are never the cause (docs/grouping-elsewhere.md). Patterns are anchored.

import type { StackFrame } from '../../../schemas/event.ts';
import { isCompiled } from './stacks/compiled-names.ts';

function anyOf(...names: readonly string[]): RegExp {
  return new RegExp(`^(?:${names.join('|')})(?:\\(.*\\))?(?: const)?$`);
}

const abortFunctions = anyOf(
  // Windows.
  '(?:\\w+::){0,4}_*DebugBreak',
  'Rtlp?\\w{0,24}(?:Heap\\w{0,12}(?:Error|Failure)|(?:Critical|Fatal)Failure|InvalidUserCallTarget)',
  'Ldrp\\w{0,24}(?:UserCallTarget|ICall\\w{0,12})|_?guard_\\w{0,16}icall\\w{0,8}',
  '_{0,2}C_specific_handler|seh_filter_\\w+|_*report_\\w{0,16}failure|_RTC_\\w+',
  '(?:Rpcp?|Tpp|_?_?abi_WinRT|il2cpp_codegen_|mono_)[rR]aise\\w+|mono_raise_\\w+|RaiseComPlusException',
  'RtlExitUser\\w+|ExitProcess\\w*|execute_onexit_table',
  // The C library, X11, GLib, Fuchsia, Apple.
  '__fdelt_(?:chk|warn)|__run_exit_handlers|__cxa_finalize|abort_message|_?_g_log_abort',
  '_X(?:IO)?Error|_XReply|_?gdk_x\\w*_?error\\w*|__zx_panic|CrashTrampolineAsm',
  '_NSRaiseError|CFCrash|AG::precondition_failure|WTFCrash\\w*|_?_forwarding_prep_0___',
  '-\\[NS\\w+ (?:_crashOnException:|doesNotRecognizeSelector:)\\]',
  // Rust.
  '(?:\\w+::){0,6}(?:__rg_oom|rust_oom)|_*rust_alloc_error_handler|(?:\\w+::)(?:oom|panic)_hook(?:::\\w+)?',
  '<?(?:core|alloc)::(?:slice|str|vec|ops)::.*>::index(?:_mut)?',
  'hashbrown::raw::Fallibility::\\w+',
  '(?:std::|failure::)?backtrace::.*|error_chain::make_backtrace|(?:anyhow|eyre|color_eyre)::.*',
  '(?:[\\w() ]+::){0,6}\\w{0,40}LogMessage\\w{0,20}::(?:~\\w+|Fail|Die|Flush|SendToLog|FailQuietly)',
  '(?:logging::\\w*CheckError|rtc::webrtc_checks_impl|absl::log_internal)::.*|base::debug::.*',
  '(?:[\\w() ]+::){0,4}(?:WriteFatalLogAndAbort|StackDumpSignalHandler|DefaultDcheckHandler|TerminateHandler)',
  'ForceCrashOnSigAbort|SbSystemBreakIntoDebugger|[sS]k_?[aA]bort\\w*|wxOnAssert\\w*|NS_ABORT_OOM',
  'AnnotateMozCrashReason|mozalloc_\\w+|(?:[\\w:]+::)?\\w+_CRASH|js::AutoEnterOOMUnsafeRegion::crash\\w*',
  'blink::ReportV8FatalError|v8::api_internal::\\w+',
  'boost::(?:throw_exception|exception_detail|wrapexcept|assertion_failed)\\b.*|fmt::.{0,80}::throw_\\w+',
  'folly::detail::throw_exception\\w*(?:<.*>)?',
  // Unreal Engine.
  'FDebug::\\w*(?:Check|Assert|Ensure|Fatal)\\w*|UE::(?:Assert|Logging)::Private::.*|DispatchCheckVerify.*',
  'F\\w+PlatformMisc::(?:RaiseException|RequestExit\\w*)|StaticFailDebug',
  // Interpreters and virtual machines.
  'il2cpp::vm::Exception::Raise\\w*|VMError::\\w+|JVM_handle_\\w+|os::abort|report_(?:vm_error|fatal)',
  '_?Py_FatalError\\w*|fatal_error_exit|rb_(?:bug|fatal|raise|exc_raise)\\w*|zend_error\\w*|luaD_throw|luaL_error',
  // The Linux kernel.
  '_{0,2}kasan_\\w+|dump_stack\\w*|show_stack\\w*|print_address_description\\w*',
);

const reporters =
  /^(?:(?:__\d{1,4})?[-+]\[(?:Sentry|RNSentry|KSCrash|Bugsnag|BSG|FIRCLS|Crashlytics|PLCrash)\w*[ (]|USentrySubsystem::)/;

/** Suffixes of processor variants and checked versions. */
const variant = '(?:_(?:avx|sse|ssse|evex|erms|unaligned|generic|neon|a?simd|sve|power|chk|rep)\\w*)?';

/** Memory management, copying, comparing, waiting, starting threads. */
const lowLevelFunctions = anyOf(
  '_{0,3}(?:int_|libc_|je_|tc_|mi_|dl|g_|moz_x?|sys)?(?:malloc|calloc|realloc|free|memalign)(?:_(?:base|dbg|impl|zone\\w*|consolidate|type\\w*))?',
  'tcache_\\w+(?:\\.part\\.\\d+)?|unlink_chunk\\w*|(?:arena|huge)_[mdrp]alloc\\w*|operator (?:new|delete)(?:\\[\\])?',
  '(?:nanov?2?|s?zone|default_zone|tiny|small|medium|large)_(?:malloc|calloc|realloc|free|memalign)\\w*',
  'Rtlp?(?:Re)?(?:Allocate|Free)Heap\\w*|Heap(?:Re)?(?:Alloc|Free)|RtlpHp\\w+',
  '(?:partition_alloc|allocator_shim|base::allocator|tcmalloc|bmalloc|compiler_builtins)::.*|__aeabi_\\w+',
  'objc_(?:msgSend|release|retain|autorelease|store|load|destroy|copy|move|opt_)\\w*|_?swift_(?:retain|release)\\w*',
  `_?CF(?:Retain|Release)|_Block_(?:copy|release)|_{0,2}(?:platform_)?mem(?:cpy|move|set|r?chr|cmp)${variant}`,
  `_{0,2}(?:platform_)?(?:str|wcs)(?:n?len|[nl]?cpy|[nl]?cat|n?cmp|n?casecmp|r?chr|str|n?dup|tok|c?spn)${variant}`,
  '\\w+\\$VARIANT\\$\\w+|lstr(?:len|cpy|cat|cmpi?)[AW]?|bcopy|bzero',
  '_{0,3}pthread_(?:mutex|rwlock|cond|spin|join)\\w*(?:@@.*)?|__(?:lll|futex|psynch|ulock|semwait)_\\w+',
  'mach_msg\\w*|semaphore_\\w*wait\\w*|_?os_unfair_\\w+|_{0,2}(?:epoll_p?wait\\d?|p?poll|kevent\\d*|nanosleep)|syscall',
  '(?:Nt|Zw)?WaitFor\\w+|RealMsgWaitFor\\w+|(?:Rtlp?)?(?:Acquire|Enter|Sleep)(?:SRW|Critical|Condition)\\w+',
  'KiFastSystemCall\\w*|KiUser(?:Apc|Callback)\\w*|NtDelayExecution|__kernel_vsyscall',
  '_{0,2}(?:start_thread|thread_start|pthread_start|pthread_body|pthread_wqthread|start_wqthread|clone3?)',
  '__libc_start_\\w+|__libc_init|_start|_dispatch_\\w+|BaseThreadInitThunk|_?RtlUserThreadStart|invoke_main',
  'w?(?:Win)?[mM]ainCRTStartup|__tmainCRTStartup|Tpp(?:Work|Callback|Execute|Timer|Alpc)\\w*|RtlpTpWorkCallback',
  'UIApplicationMain|NSApplicationMain|GSEventRun\\w*|_{0,2}CFRunLoop\\w+|__CFRUNLOOP\\w+|-\\[NS(?:Block)?Operation \\w+\\]',
  '__NS\\w*OPERATION\\w*|__NSOQSchedule\\w*|(?:partial apply for )*(?:reabstraction )?thunk for .*',
  'std::(?:rt|thread)::.*|__rust_try|core::ops::function::Fn\\w*::call\\w*(?:<.*>)?',
  'fuzzer::.*|LLVMFuzzer\\w+|rust_fuzzer_test_input',
);

function isNativeCrashHandling(name: string, baseName: string): boolean {
  return (
    reporters.test(name) || abortFunctions.test(name) || (baseName !== name && abortFunctions.test(baseName))
  );
}

export function isRuntimeFunction(name: string): boolean {
  return name.length <= 512 && lowLevelFunctions.test(name);
}

// Crash handling and shared helpers that throw for their callers: frames that are not the cause.

/** C, C++ and the operating system: signals, assertions, unwinding, heap corruption. */
const native =
  /^(?:_{0,3}(?:GI_)?(?:abort|raise|gsignal|kill|tgkill|pthread_kill\w*|libc_message\w*|libc_fatal|fortify_fail\w*|stack_chk_fail\w*|chk_fail|assert(?:_fail\w*|_rtn|_perror_fail|2|13)?|wassert|exit|fortify_fatal|longjmp_error|malloc_assert)|malloc_printerr|malloc_error_break|malloc_vreport|malloc_report|malloc_zone_error|free_\w*error\w*|nanozone_\w+|_int_free|munmap_chunk|szone_error|inline_raise|_?purecall|__cxa_(?:throw|rethrow|pure_virtual|bad_cast|begin_catch|call_terminate|call_unexpected)|_?CxxThrowException|_Unwind_\w+|demangling_(?:terminate|unexpected)_handler.*|__(?:clang_)?call_terminate|std::(?:__\w+::)?(?:_{0,2}(?:terminate|unexpected|abort|throw_\w+|rethrow_exception|verbose_terminate_handler|glibcxx_assert_fail)|_X\w+)|__glibcxx_assert_fail|__cxxabiv1::\w+|__gnu_cxx::__verbose_terminate_handler|terminate|(?:_+)?invalid_parameter\w*|_invoke_watson|__(?:fastfail|report_gsfailure|scrt_\w+|crt\w+)|RaiseException|RaiseFailFastException|Rtl\w*(?:Exception|FailFast|ReportFatal)\w*|Ki(?:User\w*Exception\w*|Raise\w*)|UnhandledExceptionFilter|ReportFault|Nt(?:RaiseException|WaitFor\w+|TerminateProcess)|TerminateProcess|g_(?:log\w*|logv|assertion_message\w*|return_if_fail_warning|assert_warning|error)|qt_message_fatal|QMessageLogger::fatal|qt_assert\w*|qFatal|mozalloc_\w*abort|MOZ_Crash\w*|NS_DebugBreak|RustMozCrash)(?:\(.*\))?$/i;
/** Signal trampolines: frames called by these belong to the signal handler. */
const trampoline =
  /^(?:_?_?sigtramp\w*|<signal handler called>|_?_?restore_rt|__kernel_rt_sigreturn|_sigtramp_\w+|KiUserExceptionDispatcher\w*)$/i;
const apple =
  /^(?:objc_exception_(?:throw|rethrow)|_?objc_(?:terminate|fatal)\w*|_objc_fatalv?\w*.*|__exceptionPreprocess|_CFThrowFormattedException|___?forwarding___|_CF_forwarding_prep_0|CFRELEASE\w*|[-+]\[NS(?:Exception|AssertionHandler)\b.*|[-+]\[NSObject\(NSObject\) doesNotRecognizeSelector:\]|_?swift_(?:runtime_\w+|fatalError\w*|unexpectedError|errorInMain|dynamicCastFailure\w*|abort\w*|willThrow\w*|deletedMethodError)|swift::(?:fatalError|crash|swift_abort)\w*(?:\(.*\))?|_swift_stdlib_reportFatalError\w*|(?:Swift\.)?(?:closure #\d{1,3} .{0,300} in (?:Swift\.)?)?_?(?:assertionFailure|fatalErrorMessage|preconditionFailure|fatalError)\b.*|\$sS?s?\d{0,2}_?(?:17_)?(?:assertionFailure|fatalErrorMessage)\w*|Swift runtime failure:.*|specialized _?(?:assertionFailure|fatalErrorMessage)\b.*)$/i;
const rustPanics =
  /^(?:_?rust_(?:panic\w*|begin_unwind)|__rust_\w*(?:panic|abort|alloc_error)\w*|(?:core|std)::panicking::.*|core::panic::.*|(?:core|std)::(?:option|result)::(?:(?:Option|Result)<.*>::)?(?:expect|unwrap|unwrap_failed|expect_failed|unwrap_err|expect_err|expect_none_failed).*|(?:core::slice|core::str)::.*(?:_fail|_error_fail)\w*.*|std::(?:sys\w*|backtrace|rt|process)::.*(?:abort|panic|backtrace|unwind|handler|exit).*|std::process::abort|alloc::(?:alloc::handle_alloc_error|raw_vec::.*overflow.*)|panic_(?:unwind|abort)::.*|runtime\.(?:gopanic|panic\w*|goPanic\w*|sigpanic\w*|throw|fatal\w*|raise\w*|dieFromSignal|crash|asmcgocall|systemstack|sighandler|sigtrampgo|sigfwdgo|goexit|startpanic_m|dopanic_m|preprintpanics)|panic|panicmem|panicIndex|log\.\(?\*?(?:Logger\)?\.)?(?:Fatal|Panic)\w*|log\.(?:Fatal|Panic)\w*|erlang:(?:error|exit|raise|throw)\/\d|caml_raise\w*)$/i;
const crashReporters =
  /^(?:_?sentry_\w+|sentry__\w+|sentrycrash\w*|ks(?:crash|cm|crashmonitor)\w*|kscrash\w*|bsg_\w+|bugsnag_\w+|BSG_\w+|FIRCLS\w*|CLS\w*Handler\w*|plcrash_\w+|PLCrash\w*|google_breakpad::.*|crashpad::.*|firebase::crashlytics::.*|mono_(?:handle_native_crash|sigsegv_\w+|assertion_message\w*|dump_native_\w+|handle_\w*signal\w*)|art::(?:Runtime::Abort|JNI::FatalError|JniAbort|.*AbortF?V?|Thread::.*Abort\w*|HandleUnexpectedSignal\w*)\b.*|android::base::(?:LogMessage::~LogMessage|SetAborter|DefaultAborter)\b.*|__android_log_(?:assert|call_aborter)|base::(?:debug|internal)::(?:BreakDebugger\w*|CollectStackTrace|StackTrace).*|base::ImmediateCrash.*|logging::(?:LogMessage\w*::~?\w+|CheckError::~?\w+|RawCheck).*|v8::base::(?:OS::Abort|FatalOOM).*|V8_Fatal.*|v8::(?:internal::)?(?:V8::FatalProcessOutOfMemory|Utils::ReportOOMFailure|Utils::ReportApiFailure).*|node::(?:Abort|Assert|OnFatalError|OOMErrorHandler|FatalError|DumpNativeBacktrace|DumpBacktrace|TriggerUncaughtException|errors::TriggerUncaughtException)\b.*|uncaught_exception_handler|napi_(?:fatal_error|throw\w*)|Napi::(?:Error|TypeError|RangeError)::\w+|__(?:asan|ubsan|tsan|msan|lsan|hwasan)_\w+|__(?:sanitizer|asan|ubsan|tsan|msan|lsan|hwasan)::.*|wrap_(?:free|malloc|realloc|memcpy|memmove|strlen|strcpy)|__interceptor_\w+|___interceptor_\w+|_ZN\d+__(?:sanitizer|asan|ubsan)\w*|__zsan\w*|gpus_\w+|gpu(?:s|sw)?_?(?:Return|Generate|Submit|Kill)\w+|IOGPU\w*|_?MTLDebug\w*|_?MTLReportFailure\w*|MTLReportFailure.*|gpu::GpuWatchdog\w*::.*|.*GpuWatchdogThread.*DeliberatelyTerminate.*|DXGI\w*RemovedReason|amdgpu_\w*abort\w*)$/i;
const checks =
  /^(?:com\.google\.common\.base\.(?:Preconditions|Verify)|kotlin\.jvm\.internal\.Intrinsics|kotlin\.(?:Preconditions|ExceptionsKt|StandardKt)\w*|java\.util\.Objects|org\.springframework\.util\.Assert|org\.apache\.commons\.lang3?\.Validate|androidx\.core\.util\.Preconditions|System\.ThrowHelper|System\.Runtime\.ExceptionServices\.ExceptionDispatchInfo|System\.Runtime\.CompilerServices\.(?:TaskAwaiter|ConfiguredTaskAwaitable)\S*|System\.Diagnostics\.Debug)(?:[.+$]|$)/;

export function isCrashHandling(frame: StackFrame, language: string): boolean {
  const name = frame.function ?? '';
  if (name === '' || name.length > nameCharsMax) return false;
  const baseName = /^[\w:~]+(?=\(|\.(?:cold|part|isra|constprop)\b)/.exec(name)?.[0] ?? name;
  return (
    always.some((pattern) => pattern.test(name)) ||
    (baseName !== name &&
      (native.test(baseName) || rustPanics.test(baseName) || crashReporters.test(baseName))) ||
    checks.test(frame.module ?? '') ||
    checks.test(name) ||
    (isCompiled(frame, language) && isNativeCrashHandling(name, baseName))
  );
}

const nameCharsMax = 512;
const always = [native, trampoline, apple, rustPanics, crashReporters];

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
  const baseName = (/[^.:#>]*$/.exec(name)?.[0] ?? name).replace(/^_+|[!?]$/g, '');
  return throwing.test(baseName) || (carrying.test(baseName) && helperFile.test(file));
}

/** Ways in which a program ends itself: the signal depends on the processor, not on the fault. */
const endings =
  /^(?:EXC_(?:CRASH|BREAKPOINT|BAD_INSTRUCTION)|SIG(?:ABRT|TRAP|ILL|KILL)|abort|fatal error|EXCEPTION_(?:BREAKPOINT|ILLEGAL_INSTRUCTION))$/i;

/** SIGABRT always; others where the stack has frames of crash handling. */
export function isSelfTermination(type: string, hasCrashing: boolean): boolean {
  return endings.test(type) && (hasCrashing || /^(?:SIG)?ABRT$|^abort$/i.test(type));
}
