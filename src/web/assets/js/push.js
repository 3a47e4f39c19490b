// @ts-check
// Notifications of this browser: forms with data-push, the public key of the server, are sent with a subscription.

(() => {
  const { showFormError, submitWith } = globalThis.notifier;
  const insecure = 'Browsers show notifications only of https pages, and of localhost.';
  const unable = 'This browser cannot show notifications of this page.';
  const refused = 'This browser did not allow notifications. Allow them in its settings for this page.';

  /** Of this address alone. @param {string} url @returns {any} */
  function trusted(url) {
    const types = /** @type {any} */ (globalThis).trustedTypes;
    if (types === undefined) return url;
    policy ??= types.createPolicy('push-worker', { createScriptURL: () => url });
    return policy.createScriptURL('');
  }
  /** @type {any} */
  let policy;

  /** @param {DOMStringMap} data */
  async function subscribe({ push: key = '', worker = '', scope = '/' }) {
    await navigator.serviceWorker.register(trusted(worker), { scope });
    const { pushManager } = await navigator.serviceWorker.ready;
    const options = { userVisibleOnly: true, applicationServerKey: key };
    const old = await pushManager.getSubscription();
    return pushManager.subscribe(options).catch(async (error) => {
      if (old === null) throw error;
      // Of a former key.
      await old.unsubscribe();
      return pushManager.subscribe(options);
    });
  }

  document.addEventListener('DOMContentLoaded', () => {
    const form = document.querySelector('form[data-push]');
    if (!(form instanceof HTMLFormElement)) return;
    const isAble = 'serviceWorker' in navigator && 'PushManager' in globalThis;
    if (isSecureContext && isAble) {
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        void submitWith(form, 'subscription', () => subscribe(form.dataset), refused);
      });
      return;
    }
    for (const button of form.querySelectorAll('button')) button.disabled = true;
    showFormError(form, isSecureContext ? unable : insecure);
  });
})();
