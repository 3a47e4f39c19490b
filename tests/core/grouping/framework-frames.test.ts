import { describe, expect, it } from '@jest/globals';
import { isCrashHandling, isRuntimeFunction } from '../../../src/core/grouping/framework-frames.ts';
import { selectFrames } from '../../../src/core/grouping/select-frames.ts';

const isDeath = (name: string, language = 'native'): boolean => isCrashHandling({ function: name }, language);

const deaths: Readonly<Record<string, readonly string[]>> = {
  Windows: [
    'DebugBreak',
    'wil::details::DebugBreak',
    'RtlpHeapHandleError',
    'RtlpHpHeapHandleError',
    'RtlpAnalyzeHeapFailure',
    'RtlpLogHeapFailure',
    'RtlReportCriticalFailure',
    'RtlReportFatalFailure',
    'RtlFailFast2',
    'RtlpHandleInvalidUserCallTarget',
    'LdrpHandleInvalidUserCallTarget',
    'LdrpValidateUserCallTarget',
    'LdrpICallHandler',
    'guard_dispatch_icall_nop',
    '__C_specific_handler',
    'seh_filter_exe',
    '_report_gsfailure',
    '__report_rangecheckfailure',
    '_RTC_Terminate',
    'RpcpRaiseException',
    'TppRaiseInvalidParameter',
    'RaiseComPlusException',
    '__abi_WinRTraiseCOMException',
    'RtlExitUserProcess',
  ],
  'the C library, X11 and Fuchsia': [
    '__fdelt_warn',
    '__run_exit_handlers',
    '_XError',
    '_XIOError',
    'gdk_x_error',
    '_gdk_x11_display_error_event',
    '_g_log_abort',
    '__zx_panic',
    'CrashTrampolineAsm',
    'abort_message',
  ],
  Apple: [
    '_NSRaiseError',
    'CFCrash',
    'AG::precondition_failure(char const*, ...)',
    '__forwarding_prep_0___',
    '-[NSApplication _crashOnException:]',
    '-[SentryClient captureException:withScope:]',
    '__40-[SentryHub captureException:]_block_invoke',
    '-[KSCrash reportUserException:reason:]',
  ],
  Rust: [
    'rust_oom',
    'std::alloc::rust_oom',
    'alloc::alloc::__alloc_error_handler::__rg_oom',
    'core::slice::index::<impl core::ops::index::Index<I> for [T]>::index',
    '<core::ops::range::Range<usize> as core::slice::index::SliceIndex<[T]>>::index',
    'hashbrown::raw::Fallibility::capacity_overflow',
    'failure::backtrace::Backtrace::new',
    'error_chain::make_backtrace',
    'anyhow::error::<impl anyhow::Error>::msg',
    'kiosk::panic_hook',
  ],
  'logs and checks': [
    'absl::log_internal::LogMessageFatal::~LogMessageFatal()',
    'google::LogMessage::Fail()',
    'logging::NotReachedLogMessage::~NotReachedLogMessage()',
    'logging::DCheckLogMessage::~DCheckLogMessage()',
    'rtc::webrtc_checks_impl::FatalLog',
    'base::debug::(anonymous namespace)::StackDumpSignalHandler',
    '(anonymous namespace)::WriteFatalLogAndAbort',
    'mozilla::detail::InvalidArrayIndex_CRASH',
    'WTFCrashWithInfoImpl(int, char const*, char const*, int)',
    'SkAbort_FileLine',
    'boost::throw_exception<std::runtime_error>',
    'folly::detail::throw_exception_<std::logic_error>',
    'fmt::v10::detail::throw_format_error',
    'gpusGenerateCrashLog.cold.1',
  ],
  'engines and interpreters': [
    'FDebug::CheckVerifyFailedImpl2',
    'FDebug::OptionallyLogFormattedEnsureMessageReturningFalse',
    'UE::Assert::Private::ExecCheckImplInternal',
    'USentrySubsystem::CaptureMessage',
    'il2cpp::vm::Exception::RaiseNullReferenceException',
    'VMError::report_and_die',
    'JVM_handle_linux_signal',
    'Py_FatalError',
    'rb_bug',
    'kasan_report',
    'dump_stack_lvl',
  ],
};

describe('functions of abort, panic and crash handling', () => {
  it.each(Object.entries(deaths))('of %s are recognized', (_of, names) => {
    expect(names.filter((name) => !isDeath(name))).toEqual([]);
  });

  it('are recognized in compiled code alone', () => {
    for (const name of ['DebugBreak', 'dump_stack', 'show_stack', 'rust_oom']) {
      expect({ name, is: isDeath(name, 'python') }).toEqual({ name, is: false });
    }
  });
});

describe('functions of the system libraries', () => {
  it.each([
    ['memory', ['malloc', '_int_free', 'je_malloc', '__libc_calloc', 'realloc', 'tcache_init.part.0']],
    ['more memory', ['operator new(unsigned long)', 'RtlFreeHeap', 'HeapAlloc', 'szone_malloc_should_clear']],
    [
      'copies',
      ['memcpy', '__memcpy_avx_unaligned_erms', '__memset_chk', '_platform_memmove$VARIANT$Haswell'],
    ],
    ['strings', ['strlen', '__strcmp_avx2', 'wcscpy', 'lstrlenW', 'strncasecmp']],
    ['counted references', ['objc_msgSend', 'objc_release', 'swift_retain', 'CFRelease', '_Block_release']],
    [
      'waiting',
      ['pthread_mutex_lock', '___pthread_mutex_lock', 'pthread_cond_wait@@GLIBC_2.3.2', 'epoll_wait'],
    ],
    [
      'more waiting',
      ['__psynch_cvwait', 'mach_msg_trap', 'WaitForSingleObjectEx', 'ZwWaitForAlertByThreadId'],
    ],
    ['where a thread begins', ['start_thread', '__libc_start_main', 'BaseThreadInitThunk', '_pthread_start']],
    ['queues', ['_dispatch_client_callout', '__CFRunLoopRun', 'TppWorkerThread', '-[NSOperation start]']],
    ['thunks', ['thunk for @callee_guaranteed () -> ()', 'partial apply for thunk for @escaping () -> ()']],
    ['fuzzers', ['fuzzer::RunOneTest', 'LLVMFuzzerTestOneInput']],
  ])('%s', (_what, names) => {
    expect(names.filter((name) => !isRuntimeFunction(name))).toEqual([]);
  });

  it('differ from names that only look like one', () => {
    const own = [
      'strategy_pick',
      'stream_read',
      'structure',
      'string_free',
      'memory_report',
      'zone_enter',
      'arena_fight',
      'poll_orders',
      'free_till',
      'malloc_report_of_till',
      'large_file_open',
      'mach_speed',
      'start_engine',
      'clone_order',
      'wait_for_driver',
      'Till::free(int)',
      'Till::memcpy',
      'main',
      '-[Till start]',
      'my_dispatch_order',
    ];
    expect(own.filter((name) => isRuntimeFunction(name) || isDeath(name))).toEqual([]);
  });

  it('hide no application function in other languages', () => {
    const frames = [
      { function: 'pay', filename: 'till.js', in_app: true, lineno: 1 },
      { function: 'free', filename: 'pool.js', in_app: true, lineno: 2 },
    ];
    expect(selectFrames({ frames }, undefined, 'javascript')).toMatchObject({
      frames: [
        { file: 'pool.js', function: 'free' },
        { file: 'till.js', function: 'pay' },
      ],
    });
    expect(selectFrames({ frames }, undefined, 'native')).toMatchObject({
      frames: [{ file: 'till.js', function: 'pay' }],
    });
  });
});
