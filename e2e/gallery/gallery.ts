import { test } from '../console-test';
import { photograph } from './photograph';
import { STATES } from './states';

const folder = process.env.GALLERY_FOLDER;

// One browser context serves many states, and the one that is offline must not be the last that has a gateway.
test.afterEach(({ context }) => context.setOffline(false));

/** Each state of each page, once for a browser of its own, in both themes and at three widths. */
for (const { page: path, state, show } of STATES) {
  test(`${path} ${state}`, async ({ page, wallets, rpc, chat, speech, topUp, shell, baseURL, complaints }) => {
    test.skip(!folder, 'GALLERY_FOLDER does not say where pictures go');
    await show({ page, wallets, rpc, chat, speech, topUp, shell, baseUrl: String(baseURL) });
    await photograph(page, {
      folder: String(folder),
      name: `${path === '/' ? 'overview' : path.slice(1)}--${state.replaceAll(' ', '-')}`,
    });
    // What a state is told by the browser's console is for the tests to judge.
    complaints.length = 0;
  });
}
