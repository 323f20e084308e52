import { test } from '../console-test';
import { photograph } from './photograph';
import { STATES } from './states';

const folder = process.env.GALLERY_FOLDER;

// Many states share a browser context, so an offline state must not affect the next ones.
test.afterEach(({ context }) => context.setOffline(false));

/** Photographs each state of each page in both themes and at three widths. */
for (const { page: path, state, show } of STATES) {
  test(`${path} ${state}`, async ({ page, wallets, rpc, chat, speech, topUp, shell, baseURL, complaints }) => {
    test.skip(!folder, 'GALLERY_FOLDER does not say where pictures go');
    await show({ page, wallets, rpc, chat, speech, topUp, shell, baseUrl: String(baseURL) });
    await photograph(page, {
      folder: String(folder),
      name: `${path === '/' ? 'overview' : path.slice(1)}--${state.replaceAll(' ', '-')}`,
    });
    // Only the tests judge messages in the browser's console.
    complaints.length = 0;
  });
}
