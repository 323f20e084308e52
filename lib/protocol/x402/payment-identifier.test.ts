import {
  appendPaymentIdentifierToExtensions,
  declarePaymentIdentifierExtension,
  validatePaymentIdentifier,
} from '@x402/extensions/payment-identifier';
import { describe, expect, it } from 'vitest';
import { PAYMENT_IDENTIFIER, PAYMENT_IDENTIFIER_DECLARATION, readPresentedPayment } from './presented-payment';

const ID = 'pay_7d5d747be160e280504c099d984bcfe0';
const accepted = { scheme: 'exact', network: 'eip155:1', asset: '0x01', payTo: '0x02', amount: '10000' };

const read = (extensions: unknown) =>
  readPresentedPayment(
    Buffer.from(JSON.stringify({ x402Version: 2, accepted, payload: {}, extensions })).toString('base64'),
  );
const withId = (id: unknown) => read({ [PAYMENT_IDENTIFIER]: { info: { required: false, id } } });

describe('a payment identifier', () => {
  it('is declared as the official server declares it', () => {
    expect(PAYMENT_IDENTIFIER_DECLARATION).toEqual(declarePaymentIdentifierExtension());
  });

  it('that the official client adds to the declaration is read', () => {
    const extensions = { [PAYMENT_IDENTIFIER]: structuredClone(PAYMENT_IDENTIFIER_DECLARATION) };
    appendPaymentIdentifierToExtensions(extensions, ID);
    expect(validatePaymentIdentifier(extensions[PAYMENT_IDENTIFIER])).toEqual({ valid: true });
    expect(read(extensions).identifier).toBe(ID);
  });

  it.each([
    ['no extensions', undefined],
    ['null for extensions', null],
    ['other extensions', { bazaar: { info: 1 } }],
    ['the declaration as it was', { [PAYMENT_IDENTIFIER]: PAYMENT_IDENTIFIER_DECLARATION }],
  ])('is absent with %s', (_, extensions) => {
    expect(read(extensions)).not.toHaveProperty('identifier');
  });

  it.each(['a'.repeat(16), 'a'.repeat(128), 'Order-2026_11_29-0001'])('may be %s', (id) => {
    expect(withId(id).identifier).toBe(id);
  });

  it.each([
    ['too short', 'a'.repeat(15)],
    ['too long', 'a'.repeat(129)],
    ['empty', ''],
    ['with other characters', 'x402:0123456789abcdef'],
    ['with a line break at its end', `${ID}\n`],
    ['a number', 1234567890123456],
    ['null', null],
    ['an object', { id: ID }],
  ])('is refused if it is %s, with what is allowed', (_, id) => {
    expect(() => withId(id)).toThrow(
      expect.objectContaining({
        name: 'InvalidPayment',
        reason: 'invalid_payment_identifier',
        message: expect.stringContaining('16 to 128 letters, digits') as string,
      }),
    );
  });

  it.each([
    ['beside "info"', { [PAYMENT_IDENTIFIER]: { id: ID } }],
    ['as text', { [PAYMENT_IDENTIFIER]: ID }],
    ['in a list', [ID]],
  ])('is refused where the extension does not have it: %s', (_, extensions) => {
    expect(() => read(extensions)).toThrow('The payment identifier is not valid');
  });
});
