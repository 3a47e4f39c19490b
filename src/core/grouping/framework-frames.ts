// Frames of compiled code that are never the cause (docs/grouping-elsewhere.md). Patterns are anchored.

function anyOf(...names: readonly string[]): RegExp {
  return new RegExp(`^(?:${names.join('|')})(?:\\(.*\\))?(?: const)?$`);
}

const deaths = anyOf(
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
const beneath = anyOf(
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

export function isNativeCrashHandling(name: string, bare: string): boolean {
  return reporters.test(name) || deaths.test(name) || (bare !== name && deaths.test(bare));
}

export function isRuntimeFunction(name: string): boolean {
  return name.length <= 512 && beneath.test(name);
}
