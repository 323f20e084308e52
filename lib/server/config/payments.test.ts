import { describe, expect, it } from 'vitest';
import { paymentsSchema } from './payments';

describe('the least and the suggested top-up', () => {
  it('are 5 and 10 USD', () => {
    expect(paymentsSchema.parse({})).toMatchObject({ minimumTopUpUsd: 5, suggestedTopUpUsd: 10 });
  });

  it.each([{ minimumTopUpUsd: 10 }, { minimumTopUpUsd: 20, suggestedTopUpUsd: 20 }, { suggestedTopUpUsd: 5 }])(
    'may be equal: %j',
    (settings) => {
      expect(paymentsSchema.safeParse(settings).success).toBe(true);
    },
  );

  it.each([{ minimumTopUpUsd: 20 }, { minimumTopUpUsd: 10.000001 }, { minimumTopUpUsd: 5, suggestedTopUpUsd: 4.99 }])(
    'never suggest what would be refused: %j',
    (settings) => {
      const { error } = paymentsSchema.safeParse(settings);
      expect(error?.issues).toMatchObject([
        {
          path: ['suggestedTopUpUsd'],
          message: `Must be at least minimumTopUpUsd, which is ${settings.minimumTopUpUsd}`,
        },
      ]);
    },
  );
});
