import { expect, test } from './console-test';
import { chooseOption } from './pages/choose-option';
import { expectAccessibleInBothThemes } from './pages/accessibility';

const ENDPOINT = '**/api/v1/crypto/rpc/sandbox-testnet';

test('a first visit sends eth_blockNumber with the demo key, shows what it cost, and moves nothing around the answer', async ({
  rpc,
  shell,
}) => {
  await rpc.open();
  await expect(shell.payer).toHaveAccessibleName(/^Pays: Demo key/);
  await expect(rpc.page.getByRole('button', { name: 'Network: sandbox-testnet' })).toBeVisible();
  await expect(rpc.quotedCredits).toHaveText('20 credits');
  await expect(rpc.quotedCost).toHaveText('$0.000014');
  const places = () =>
    Promise.all([
      rpc.request.boundingBox(),
      rpc.answer.boundingBox(),
      rpc.sendButton.boundingBox(),
      rpc.fact('Credits').evaluate((element) => element.getBoundingClientRect().top),
    ]);
  const before = await places();
  await rpc.send();
  await expect(rpc.answer).toContainText(/result: "0x[0-9a-f]+"/);
  expect(await places()).toEqual(before);
  await expect(rpc.fact('Credits')).toHaveText('20');
  await expect(rpc.fact('Cost')).toHaveText('$0.000014');
  await expect(rpc.fact('Time')).toHaveText(/\d (ms|s)$/);
  await expect(rpc.fact('Request ID')).toHaveText(/^[0-9a-zA-Z]{32}$/);
  await expect(rpc.fact('Request ID').getByRole('link')).toHaveAttribute('href', /^\/usage\?request=[0-9a-zA-Z]{32}$/);
});

test.describe('asking', () => {
  test('another network, method, id or batch is priced before and answered, and each family has its own methods', async ({
    rpc,
  }) => {
    await rpc.open();
    await test.step('another network and method, with the price of both', async () => {
      await rpc.chooseNetwork('zksync mainnet', 'zksync-mainnet');
      await expect(rpc.quotedCredits).toHaveText('30 credits');
      await rpc.chooseNetwork('base mainnet', 'base-mainnet');
      await rpc.chooseMethod('debug_traceTransaction');
      await expect(rpc.quotedCredits).toHaveText('40 credits');
      await rpc.chooseMethod('eth_chainId');
      await rpc.send();
      await expect(rpc.answer).toContainText('result: "0x2105" = 8,453');
    });
    await test.step('an id beyond 2^53 comes back to the last digit', async () => {
      await rpc.type('{"id":9007199254740993,"method":"eth_chainId"}');
      await rpc.send();
      await expect(rpc.answer).toContainText('id: 9007199254740993');
    });
    await test.step('a batch shows the price of each call and the sum', async () => {
      await rpc.chooseMethod('eth_blockNumber');
      await expect(rpc.quotedCredits).toHaveText('20 credits');
      await rpc.page.getByRole('button', { name: 'Batch' }).click();
      await rpc.chooseMethod('eth_chainId');
      await expect(rpc.page.getByRole('list', { name: 'Calls of the batch' }).getByRole('listitem')).toHaveCount(2);
      await expect(rpc.quotedCredits).toHaveText('40 credits');
      await rpc.send();
      await expect(rpc.answer).toContainText('2 results');
      await expect(rpc.fact('Credits')).toHaveText('40');
    });
    await test.step('each family has its own methods', async () => {
      await rpc.page.getByRole('button', { name: 'Batch' }).click();
      await rpc.chooseNetwork('solana mainnet', 'solana-mainnet');
      await expect(rpc.editor).toContainText('"getSlot"');
      await rpc.page.getByRole('button', { name: /^Method/ }).click();
      // The list loads when it is first used.
      await expect(rpc.page.getByRole('combobox').filter({ visible: true })).toBeFocused();
      await rpc.page.keyboard.type('eth_');
      await expect(rpc.page.getByText('No such method is offered on this network.')).toBeVisible();
    });
  });

  test('a link to a network that the gateway does not list has no price, and one to a network alone asks what that network can answer', async ({
    rpc,
  }) => {
    await rpc.open('?network=nope-mainnet&method=eth_notAMethod');
    await expect(rpc.editor).toContainText('"eth_notAMethod"');
    await expect(rpc.request).toContainText('nope-mainnet is not a network of this gateway.');
    await expect(rpc.page.getByText('will be refused, uncharged').filter({ visible: true })).toBeVisible();
    await rpc.open('?network=solana-mainnet');
    await expect(rpc.editor).toContainText('"getSlot"');
  });

  test('fields and text are one request, and each parameter has the control of its type', async ({ rpc }) => {
    await rpc.open('?network=sandbox-testnet&method=eth_getBalance');
    await chooseOption(rpc.request.getByLabel(/^block/), 'earliest');
    await expect(rpc.editor).toContainText('"earliest"');
    await rpc.type(
      '{"id":1,"method":"eth_getBalance","params":["0x00000000000000000000000000000000000000aa","latest"]}',
    );
    await expect(rpc.request.getByLabel(/^address/)).toHaveValue('0x00000000000000000000000000000000000000aa');
    await expect(rpc.request.getByLabel(/^block/)).toHaveText('latest');
    await test.step('a switch, a block number, an amount and an address', async () => {
      await rpc.chooseMethod('eth_getBlockByNumber');
      await rpc.request.getByRole('switch', { name: /^fullTransactions/ }).click();
      await expect(rpc.editor).toContainText('true');
      await chooseOption(rpc.request.getByLabel(/^block/), 'number');
      await rpc.request.getByLabel('Number of block').fill('62');
      await expect(rpc.editor).toContainText('"0x3e"');
      await rpc.chooseMethod('eth_call');
      await rpc.request.getByLabel('value', { exact: true }).fill('1.5');
      await expect(rpc.editor).toContainText('"0x14d1120d7b160000"');
      await rpc.request.getByLabel('to', { exact: true }).fill('vitalik.eth');
      await expect(rpc.request.getByText('The gateway does not look up names.')).toBeVisible();
      await expectAccessibleInBothThemes(rpc.page);
    });
  });
});

test('what cannot work is refused in a sentence, with its place, and nothing is sent', async ({ rpc, page }) => {
  let sent = 0;
  page.on('request', (request) => (sent += request.method() === 'POST' ? 1 : 0));
  await rpc.open();
  for (const [what, text, sentence] of [
    [
      'bad JSON',
      '{"method": eth_blockNumber}',
      'Not sent. This is not JSON yet. Line 1, column 12: "eth_blockNumber" is not a JSON value',
    ],
    ['a missing method', '{"id": 1}', 'has no "method"'],
    ['params that are no array', '{"method": "eth_call", "params": {}}', 'needs "params" to be an array'],
    ['an empty batch', '[]', 'The batch is empty'],
    ['a fraction as id', '{"method": "eth_chainId", "id": 1.5}', 'needs an "id" that is a whole number or a text'],
    ['nothing', '', 'The request is empty'],
  ] as const)
    await test.step(what, async () => {
      await rpc.type(text);
      await rpc.send();
      await expect(rpc.request.getByRole('alert')).toContainText(sentence);
    });
  await test.step('an idempotency key that could not be sent', async () => {
    await rpc.type('{"method": "eth_chainId", "id": 1}');
    await (await rpc.openIdempotencyKey()).fill('schlüssel');
    await rpc.send();
    await expect(rpc.request.getByRole('alert')).toContainText('Not sent. The Idempotency-Key takes 1 to 255 letters');
  });
  await expect(rpc.answer).toContainText('The answer appears here');
  expect(sent).toBe(0);
});

test.describe('errors are a sentence and an action', () => {
  test('what the gateway or the chain refuses is told and billed as told, and a wrong key can be replaced right there', async ({
    rpc,
    shell,
  }) => {
    await rpc.open('?network=sandbox-testnet&method=eth_newFilter');
    const alert = rpc.answer.getByRole('alert');
    await test.step("a refused method: the sentence before sending, and the gateway's own after", async () => {
      await expect(rpc.request).toContainText('Use eth_getLogs');
      await expect(rpc.page.getByText('will be refused, uncharged').filter({ visible: true })).toBeVisible();
      await rpc.send();
      await expect(alert).toContainText('eth_newFilter');
      await expect(alert).toContainText('eth_getLogs');
      await expect(alert).toContainText('-32601');
      await expect(alert).toContainText('not charged');
    });
    await test.step('a JSON-RPC error is shown as such, with its 5 credits', async () => {
      await rpc.type('{"id":1,"method":"eth_getBalance","params":["not an address","latest"]}');
      await rpc.send();
      await expect(rpc.fact('Credits')).toHaveText('5');
      await expect(rpc.fact('Cost')).toHaveText('$0.0000035');
      await expect(alert).toContainText('JSON-RPC error');
    });
    await test.step('a batch with failures names them in one place, and bills each as told', async () => {
      await rpc.type(
        '[{"id":1,"method":"eth_chainId"},{"id":2,"method":"eth_getBalance","params":["bad","latest"]},{"id":3,"method":"eth_getBalance","params":[]}]',
      );
      await rpc.send();
      await expect(alert).toContainText('2 of 3 calls ended in a JSON-RPC error.');
      await expect(alert.getByRole('listitem')).toHaveCount(2);
      await expect(rpc.fact('Credits')).toHaveText('30');
    });
    await test.step('a wrong key is told, and another can be entered right there', async () => {
      await rpc.type('{"id":1,"method":"eth_chainId"}');
      await shell.useRefusedKey('tpk_not_a_key_of_this_gateway');
      await rpc.send();
      await expect(alert).toContainText('HTTP 401');
      await rpc.answer.getByRole('button', { name: 'Pay with another key' }).click();
      await expect(rpc.answer.getByLabel('Pay with another API key')).toBeVisible();
      await shell.forgetKey();
      await rpc.send();
      await expect(rpc.answer).toContainText('result: "0x7a69"');
    });
  });

  test('a call without an answer of the gateway says what is known, and can be cancelled or sent again', async ({
    rpc,
    page,
  }) => {
    await rpc.open();
    for (const status of [200, 502])
      await test.step(`a page of something in between, with status ${status}, is not taken for an uncharged refusal`, async () => {
        await page.route(ENDPOINT, (route) =>
          route.fulfill({ status, contentType: 'text/html', body: '<html>Sign in</html>' }),
        );
        await rpc.send();
        await expect(rpc.answer.getByRole('alert')).toContainText('may have been charged');
        await expect(rpc.fact('Credits')).toHaveText('–');
        await expect(rpc.fact('Cost')).toHaveText('–');
        await page.unroute(ENDPOINT);
        await rpc.answer.getByRole('button', { name: 'Send again with an Idempotency-Key' }).click();
        await expect(rpc.answer).toContainText('result: "0x');
        await expect(page.getByLabel('Idempotency-Key', { exact: true })).toHaveValue(/^console-/);
        await page.getByRole('button', { name: 'Remove the idempotency key' }).click();
      });
    await test.step('a slow call says how long it has taken, and can be cancelled', async () => {
      await page.route(ENDPOINT, () => undefined);
      await rpc.send();
      await expect(rpc.answer).toContainText(/Waiting for [2-9] s/);
      await rpc.answer.getByRole('button', { name: 'Cancel' }).click();
      await expect(rpc.answer).toContainText('The call was cancelled');
      await page.unroute(ENDPOINT);
    });
    await test.step('a gateway that is down: a sentence, and sending again works', async () => {
      await page.route(ENDPOINT, (route) => route.abort('connectionrefused'));
      await rpc.send();
      await expect(rpc.answer.getByRole('alert')).toContainText('does not answer');
      await page.unroute(ENDPOINT);
      await rpc.answer.getByRole('button', { name: 'Send again' }).click();
      await expect(rpc.answer).toContainText('result: "0x');
    });
  });
});

test.describe('keys, prices and patience', () => {
  test('an idempotency key replays its answer uncharged; where it cannot, that is said, and a new key is one click away', async ({
    rpc,
    page,
  }) => {
    await rpc.open();
    await rpc.openIdempotencyKey();
    await page.getByRole('button', { name: 'Make one' }).click();
    await test.step('a key replays the answer, uncharged, and says so', async () => {
      await rpc.send();
      await expect(rpc.fact('Credits')).toHaveText('20');
      await expect(rpc.answer).toContainText('result: "0x');
      await rpc.send();
      await expect(rpc.fact('Credits')).toHaveText('0');
      await expect(rpc.answer).toContainText('replayed');
    });
    await test.step('a key used for another request is told', async () => {
      await rpc.chooseMethod('eth_chainId');
      await rpc.send();
      await expect(rpc.answer.getByRole('alert')).toContainText('used with a different request');
      await rpc.answer.getByRole('button', { name: 'Make a new key' }).click();
      await rpc.send();
      await expect(rpc.answer).toContainText('result: "0x7a69"');
    });
    await test.step('an answer that is not kept under its key is shown and says so; its repetition is refused', async () => {
      await page.getByRole('button', { name: 'New', exact: true }).click();
      await page.route(ENDPOINT, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, headers: { ...response.headers(), 'idempotency-stored': 'false' } });
      });
      await rpc.send();
      await expect(rpc.answer.getByText('Charged and shown, but not kept under its Idempotency-Key.')).toBeVisible();
      await expect(rpc.answer).toContainText('IDEMPOTENT_ANSWER_NOT_KEPT');
      await expect(rpc.fact('Credits')).toHaveText('20');
      await page.getByRole('tab', { name: 'Raw' }).click();
      await expect(rpc.answer.getByText('not kept', { exact: true })).toBeVisible();
      await page.unroute(ENDPOINT);
      await page.route(ENDPOINT, (route) =>
        route.fulfill({
          status: 400,
          json: {
            code: 'IDEMPOTENT_ANSWER_NOT_KEPT',
            error: 'The call with this Idempotency-Key was made and charged, but its answer was too large to store.',
          },
        }),
      );
      await rpc.send();
      await expect(rpc.answer.getByRole('alert')).toContainText('too large to store');
      await page.unroute(ENDPOINT);
      await rpc.answer.getByRole('button', { name: 'Make a new key' }).click();
      await rpc.send();
      await expect(rpc.answer).toContainText('0x');
      await expect(rpc.answer.getByText('not kept', { exact: true })).toBeHidden();
    });
  });

  test('a gateway that was down when the page opened is found again, and the price is the one that it states', async ({
    rpc,
    page,
    shell,
  }) => {
    await page.route('**/api/sandbox', (route) => route.abort('connectionrefused'));
    await page.route('**/api/settings', async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        json: { ...((await response.json()) as object), pricePerCreditUsd: '0.000001' },
      });
    });
    await page.goto('/rpc');
    await expect(shell.payer).toHaveAccessibleName('Choose a payment method');
    await page.unroute('**/api/sandbox');
    await expect(shell.payer).toHaveAccessibleName(/^Pays: Demo key/);
    await expect(rpc.quotedCost).toHaveText('$0.00002');
  });

  test('parameters by name are for Starknet alone', async ({ rpc, page }) => {
    const upstream = {
      name: 'upstream 1',
      state: 'unknown',
      latencyP50Ms: null,
      height: null,
      lagBlocks: null,
      lastError: null,
      checkedAt: null,
    };
    await page.route('**/api/network-health', (route) =>
      route.fulfill({ json: { networks: [{ network: 'starknet-mainnet', upstreams: [upstream] }] } }),
    );
    await rpc.open('?network=starknet-mainnet');
    await rpc.type('{"id":1,"method":"starknet_getBlockWithTxs","params":{"block_id":"latest"}}');
    await expect(rpc.request).toContainText('Valid JSON-RPC for starknet-mainnet.');
    await rpc.type('{"id":1,"method":"eth_call","params":{}}');
    await expect(rpc.request).toContainText('needs "params" to be an array');
  });
});
