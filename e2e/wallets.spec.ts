import { expect, test } from './console-test';
import { expectAccessibleInBothThemes } from './pages/accessibility';
import { Shell } from './pages/shell';
import { EvmWallet } from './wallets/evm-wallet';
import { SolanaWallet } from './wallets/solana-wallet';

test.describe('with an extension wallet that signs for real', () => {
  test('a key is staked for, minted, used on the RPC page, revoked, and stops working', async ({
    page,
    wallets,
    rpc,
    shell,
    baseURL,
  }) => {
    test.slow();
    const wallet = new EvmWallet(baseURL!);
    const pages = page.getByRole('navigation', { name: 'Pages' }).filter({ visible: true });
    const rpcPage = pages.getByRole('link', { name: 'RPC' });
    const keysPage = pages.getByRole('link', { name: 'Keys' });
    await wallet.announce(page);
    await page.goto('/keys');
    await wallets.connectFunded('ethereum', 'Test Wallet');
    await wallets.typeAmount(wallets.stake, '12.5');
    await expect(wallets.fact(wallets.stake, 'Staked')).toHaveText('12.5');
    expect(wallet.mood.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(2);
    await wallets.typeAmount(wallets.allocation, '5');
    await expect(wallets.fact(wallets.allocation, 'Staked')).toHaveText('5');

    await wallets.mint.getByLabel('Name').fill('Browser test');
    await wallets.mint.getByRole('button', { name: 'Mint a key' }).click();
    const key = await wallets.newKey();
    await wallets.mint.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(wallets.mint.getByText(/^Block [\d,]+ · \$0\.\d+$/)).toBeVisible();
    await wallets.mint.getByRole('button', { name: 'Pay for calls with it' }).click();
    await expect(shell.payer).toHaveAccessibleName(new RegExp(`^Pays: ${key.slice(0, 4)}••••${key.slice(-4)}`));
    await rpcPage.click();
    await rpc.chooseNetwork('sandbox-testnet', 'sandbox-testnet');
    await rpc.chooseMethod('eth_chainId');
    await rpc.send();
    await expect(rpc.answer).toContainText('0x7a69');

    await keysPage.click();
    await wallets.keys.getByRole('button', { name: 'Sign in' }).click();
    await wallets.keys.getByRole('button', { name: 'Revoke Browser test' }).click();
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await expect(wallets.keys.getByText('No keys here')).toBeVisible();
    await rpcPage.click();
    await rpc.send();
    await expect(rpc.answer).toContainText('The key was revoked.');
  });

  test('what a key may spend is asked before it is minted, and a stake that is confirmed counts on every page at once', async ({
    page,
    wallets,
    rpc,
    shell,
    baseURL,
  }) => {
    test.slow();
    const pages = page.getByRole('navigation', { name: 'Pages' }).filter({ visible: true });
    const rpcPage = pages.getByRole('link', { name: 'RPC' });
    const keysPage = pages.getByRole('link', { name: 'Keys' });
    await new EvmWallet(baseURL!).announce(page);
    await page.goto('/keys');
    await wallets.connectFunded('ethereum', 'Test Wallet');
    await wallets.typeAmount(wallets.stake, '1');
    await expect(wallets.fact(wallets.stake, 'Staked')).toHaveText('1');
    const spends = wallets.mint.getByRole('group', { name: 'What may this key spend?' });
    await expect(spends).toContainText('none: less than 0.1 TOLL staked');
    await spends.getByRole('radio', { name: /prepaid balance/ }).check();
    await wallets.mint.locator('summary').click();
    await wallets.mint.getByRole('button', { name: 'RPC', exact: true }).click();
    await wallets.mint.getByRole('button', { name: 'Add a network' }).click();
    await expect(page.getByRole('combobox', { name: 'Add a network' })).toBeFocused();
    await page.keyboard.type('sandbox-testnet');
    await page.keyboard.press('Enter');
    await expect(wallets.mint.locator('summary')).toHaveText('Limits and scopeRPC · sandbox-testnet');
    await wallets.mint.getByRole('button', { name: 'Mint a key' }).click();
    await expect(spends).toContainText('An amount above zero in USD, such as 5.00.');
    await spends.getByLabel(/^Up to/).fill('2.50');
    await expectAccessibleInBothThemes(page);
    await wallets.mint.getByRole('button', { name: 'Mint a key' }).click();
    await expect(wallets.mint).toContainText(
      'It spends your daily allocation, then up to $2.50 of your prepaid balance.',
    );
    await wallets.mint.getByRole('button', { name: 'Pay for calls with it' }).click();
    await expect(shell.payer).toContainText('$0.00');
    await rpcPage.click();
    await rpc.chooseNetwork('sandbox-testnet', 'sandbox-testnet');
    await rpc.chooseMethod('eth_chainId');
    await rpc.send();
    await expect(rpc.answer).toContainText('too little for this call');
    await keysPage.click();
    await wallets.typeAmount(wallets.allocation, '5');
    const daily = wallets.fact(wallets.allocation, 'Your daily allocation');
    await expect(daily).not.toHaveText('$0.00');
    // Must be faster than the gateway's memory of a missing stake, which lasts half a minute.
    await expect(shell.payer).not.toContainText('$0.00', { timeout: 10_000 });
    await expect(shell.payer).toContainText(/^\$[\d,]+\.\d\d/.exec(await daily.innerText())?.[0] ?? 'no amount');
    await rpcPage.click();
    await rpc.send();
    await expect(rpc.answer).toContainText('0x7a69');
  });

  test('the wallet is asked once for a sign-in, which outlives a reload, is the same in every tab, and ends with the last', async ({
    page,
    wallets,
    shell,
    baseURL,
    context,
  }) => {
    const wallet = new EvmWallet(baseURL!);
    await wallet.announce(page);
    await page.goto('/');
    await wallets.openDialog();
    await wallets.connect('ethereum', 'Test Wallet');
    await wallets.ethereum.getByRole('button', { name: 'Sign in' }).click();
    await expect(wallets.dialog).toBeHidden();
    await wallets.openDialog();
    await expect(wallets.ethereum).toContainText('Signed in until');
    await wallets.close();
    await page.reload();
    await expect(shell.payer).toHaveAccessibleName(
      new RegExp(`^Pays: Wallet ${wallet.address.slice(0, 6)}…${wallet.address.slice(-4)}`),
    );
    expect(wallet.mood.asked.filter((method) => method === 'personal_sign')).toHaveLength(1);
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('SIGN-IN');
    expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain('turnpike.sign-ins');
    const other = await context.newPage();
    await other.goto('/');
    await expect(new Shell(other).payer).toHaveAccessibleName(
      new RegExp(`^Pays: Wallet ${wallet.address.slice(0, 6)}…`),
    );
    await page.goto('about:blank');
    await other.close();
    // On the next day, the page remembers the choice of the wallet. Its sign-in has expired, and no other credential
    // pays instead.
    const later = await context.newPage();
    await later.goto('/');
    await expect(new Shell(later).payer).toHaveAccessibleName('Sign in again');
  });

  test('on another chain, after a refusal and with a key that has nothing to spend, the page says so and what to do', async ({
    page,
    wallets,
    baseURL,
  }) => {
    const wallet = new EvmWallet(baseURL!);
    wallet.mood.chainId = 1;
    wallet.mood.knows.delete(31_337);
    await wallet.announce(page);
    await page.goto('/keys');
    await test.step('a wallet on another chain is told so, and brought over', async () => {
      await wallets.openDialog();
      await wallets.connect('ethereum', 'Test Wallet');
      await wallets.close();
      await expect(page.getByText('Your wallet is on another chain than Turnpike Sandbox.')).toBeVisible();
      await expect(wallets.stake.getByRole('button', { name: /^Stake T/i })).toBeDisabled();
      await page
        .getByRole('region', { name: 'Staking' })
        .getByRole('button', { name: 'Switch to Turnpike Sandbox' })
        .click();
      await expect(page.getByText('Your wallet is on another chain')).toHaveCount(0);
      expect(wallet.mood.asked).toContain('wallet_addEthereumChain');
      await expect(wallets.stake).toContainText('The wallet has no ETH on Turnpike Sandbox');
      await wallets.stake.getByRole('button', { name: /^Fund/ }).click();
      await expect(wallets.fact(wallets.stake, 'In the wallet')).toHaveText('1,000');
    });
    await test.step('a refusal has a sentence, and nothing happened', async () => {
      wallet.mood.refuses.add('eth_sendTransaction').add('personal_sign');
      await wallets.typeAmount(wallets.stake, '1');
      await expect(wallets.stake).toContainText('You declined in the wallet.');
      await expect(wallets.fact(wallets.stake, 'Staked')).toHaveText('0');
      await expect(wallets.mint.getByRole('button', { name: 'Mint a key' })).toBeDisabled();
      await expect(wallets.mint).toContainText('Stake TPK first: any amount will do.');
      wallet.mood.refuses.delete('eth_sendTransaction');
      await wallets.typeAmount(wallets.stake, '1');
      await expect(wallets.fact(wallets.stake, 'Staked')).toHaveText('1');
      await wallets.mint.getByRole('button', { name: 'Mint a key' }).click();
      await expect(wallets.mint).toContainText('You declined in the wallet.');
    });
    await test.step('a key with nothing to spend offers no use of it, and says what to do', async () => {
      wallet.mood.refuses.clear();
      await wallets.mint.getByRole('button', { name: 'Mint a key' }).click();
      await expect(wallets.mint).toContainText('It has nothing to spend yet. Stake 0.1 TOLL or more');
      await expect(wallets.mint.getByRole('button', { name: 'Pay for calls with it' })).toHaveCount(0);
      await wallets.mint.getByRole('link', { name: 'Add spending money to this key' }).click();
      await expect(wallets.keys).toBeInViewport();
    });
  });
});

test.describe('with a Solana wallet', () => {
  test('it signs in for calls, and is told that minting needs an Ethereum wallet', async ({
    page,
    wallets,
    shell,
    rpc,
  }) => {
    const wallet = new SolanaWallet();
    await wallet.announce(page);
    await page.goto('/keys');
    await wallets.openDialog();
    await wallets.connect('solana', 'Test Solana Wallet');
    wallet.refuses = true;
    await wallets.solana.getByRole('button', { name: 'Sign in' }).click();
    await expect(wallets.solana).toContainText('You declined in the wallet.');
    wallet.refuses = false;
    await wallets.solana.getByRole('button', { name: 'Sign in' }).click();
    await expect(wallets.dialog).toBeHidden();
    await expect(page.getByText('Minting a key needs an Ethereum wallet.')).toBeVisible();
    await expect(shell.payer).toHaveAccessibleName(
      new RegExp(`^Pays: Wallet ${wallet.address.slice(0, 4)}…${wallet.address.slice(-4)}`),
    );
    await page.getByRole('link', { name: 'RPC', exact: true }).filter({ visible: true }).click();
    await rpc.chooseNetwork('solana-devnet', 'solana-devnet');
    await rpc.chooseMethod('getSlot');
    await rpc.send();
    await expect(rpc.answer).toContainText('too low for this call');
    await expect(rpc.answer).toContainText('The wallet’s balance is 0.00 USD');
  });
});

test.describe('with the demo wallet alone', () => {
  test('by keyboard, from an empty browser to a key; each question can be read and refused', async ({
    page,
    wallets,
  }) => {
    test.slow();
    const scripts: string[] = [];
    page.on('response', (response) => response.request().resourceType() === 'script' && scripts.push(response.url()));
    await page.goto('/keys');
    await test.step('nothing of wallets is loaded before somebody asks for them', async () => {
      await page.waitForLoadState('networkidle');
      const before = scripts.length;
      await page.getByRole('main').getByRole('button', { name: 'Connect wallet' }).focus();
      await page.keyboard.press('Enter');
      await expect(wallets.dialog).toBeVisible();
      expect(scripts.length).toBeGreaterThan(before);
      const bodies = await page.evaluate(
        (urls) => Promise.all(urls.map(async (url) => (await fetch(url)).text())),
        scripts.slice(0, before),
      );
      expect(
        bodies.filter(
          (body) => body.includes('eip6963:announceProvider') || body.includes('wallet-standard:app-ready'),
        ),
      ).toEqual([]);
    });
    await expect(wallets.ethereum.getByRole('button', { name: /^Demo wallet/ })).toBeVisible();
    await wallets.ethereum.getByRole('button', { name: /^Demo wallet/ }).focus();
    await page.keyboard.press('Enter');
    await expect(wallets.dialog).toBeHidden();
    await wallets.stake.getByRole('button', { name: /^Fund/ }).focus();
    await page.keyboard.press('Enter');
    await expect(wallets.fact(wallets.stake, 'In the wallet')).not.toHaveText('0');
    await wallets.stake.getByLabel('Amount of TPK').fill('3');
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name: /^(Approve|Stake) 3 TPK$/ });
    await expect(sheet).toContainText('Lets the staking contract take this amount.');
    await expect(sheet).toContainText('approve(spender: 0x990C2751391a6aC235402D1EcFF640Afd0B2960f, value: 3 TPK)');
    await page.keyboard.press('Escape');
    await expect(wallets.stake).toContainText('You declined in the wallet.');
    await wallets.stake.getByLabel('Amount of TPK').focus();
    await page.keyboard.press('Enter');
    await expect(sheet).toContainText('approve');
    await page.keyboard.press('Enter');
    await expect(sheet).toContainText('stake(amount: 3 TPK)');
    await page.keyboard.press('Enter');
    await expect(wallets.fact(wallets.stake, 'Staked')).toHaveText('3');
    await wallets.mint.getByLabel('Name').fill('Demo');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Sign a message' })).toContainText('eyJ');
    await page.keyboard.press('Enter');
    expect(await wallets.newKey()).toMatch(/^\S{20,}$/);
  });

  test('both families are funded in one click, and stay connected after a reload', async ({ page, wallets }) => {
    await page.goto('/');
    await wallets.openDialog();
    await wallets.connect('ethereum', 'Demo wallet');
    await expect(wallets.ethereum.getByRole('button', { name: 'Fund Demo wallet with test money' })).toBeVisible();
    await wallets.connect('solana', 'Demo wallet');
    await wallets.dialog.getByRole('button', { name: 'Fund both with test money' }).click();
    await expect(wallets.dialog.getByText(/^Received/)).toContainText(/100 ETH.*TPK.*TOLL.*USDC.*SOL/);
    await wallets.close();
    await page.reload();
    await expect(page.getByRole('banner').getByRole('button', { name: /Wallets: 0x.* and / })).toBeVisible();
  });
});

test('keys and wallets have no serious accessibility violation in either theme, on a phone or beside it', async ({
  page,
  wallets,
}) => {
  // Ends on the phone, because the steps between the checks use it.
  const checkNow = async () => {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expectAccessibleInBothThemes(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  };
  await page.setViewportSize({ width: 390, height: 900 });
  await page.goto('/keys');
  await wallets.openDialog();
  await wallets.connect('ethereum', 'Demo wallet');
  await checkNow();
  await wallets.close();
  await expect(wallets.fact(wallets.stake, 'Staked')).toBeVisible();
  await checkNow();
});
