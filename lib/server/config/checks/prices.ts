import type { Faults } from '../faults';
import { fieldPath, membersAt, textAt } from '../field-path';
import { FREE } from '../fields';
import type { SettingsView } from './view';

/** Reports a price of zero, which may be a mistake. An operator who wants no price writes "free". */
export function checkPrices({ settings }: SettingsView, faults: Faults): void {
  for (const steps of pricesOf(settings)) {
    if (/^0+(\.0*)?$/.test(textAt(settings, ...steps) ?? ''))
      faults.set(
        fieldPath(steps),
        `is zero, so every call would be free: expected a price, or "${FREE}" if free calls are intended`,
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
    ...membersAt(settings, 'embeddings', 'models').map(([id]) => ['embeddings', 'models', id, 'usdPerMillionTokens']),
    ...membersAt(settings, 'images', 'models').flatMap(([id, model]) =>
      membersAt(model, 'usdPerImage').map(([size]) => ['images', 'models', id, 'usdPerImage', size]),
    ),
    ...membersAt(settings, 'transcriptions', 'models').map(([id]) => ['transcriptions', 'models', id, 'usdPerSecond']),
    ['video', 'pricePerSecondUsd'],
    ...membersAt(settings, 'video', 'models').map(([id]) => ['video', 'models', id, 'pricePerSecondUsd']),
  ];
}
