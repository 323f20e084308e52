import type { Faults } from '../faults';
import { fieldPath, membersAt, textAt } from '../field-path';
import { FREE } from '../fields';
import type { SettingsView } from './view';

/** Notes prices of zero: what is to be free says so, since a price that was forgotten or cut off reads the same. */
export function checkPrices({ settings }: SettingsView, faults: Faults): void {
  for (const steps of pricesOf(settings)) {
    if (/^0+(\.0*)?$/.test(textAt(settings, ...steps) ?? ''))
      faults.set(
        fieldPath(steps),
        `is zero: everybody would be served for nothing. Write "${FREE}" where that is meant, else the price`,
      );
  }
}

const TOKEN_PRICES = ['inputUsdPerMillionTokens', 'outputUsdPerMillionTokens'];

function pricesOf(settings: unknown): string[][] {
  return [
    ['pricePerCreditUsd'],
    ...TOKEN_PRICES.map((field) => ['inference', 'prices', field]),
    ...membersAt(settings, 'inference', 'models').flatMap(([id]) =>
      TOKEN_PRICES.map((field) => ['inference', 'models', id, 'prices', field]),
    ),
    ...membersAt(settings, 'speech', 'models').map(([id]) => ['speech', 'models', id, 'usdPerMillionCharacters']),
    ['video', 'pricePerSecondUsd'],
    ...membersAt(settings, 'video', 'models').map(([id]) => ['video', 'models', id, 'pricePerSecondUsd']),
  ];
}
