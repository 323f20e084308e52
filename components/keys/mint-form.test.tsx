import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { createReadCache } from '@/lib/browser/reads/read-cache';
import { ReadsProvider } from '@/lib/browser/reads/use-read';
import { NO_FIELDS } from './mint-fields';
import { MintForm } from './mint-form';

function markupOf(spends: string, hasNoAllocation: boolean): string {
  return renderToStaticMarkup(
    <ReadsProvider value={createReadCache()}>
      <MintForm
        draft={{ fields: { ...NO_FIELDS, spends }, edit: () => undefined }}
        isRunning={false}
        problem={null}
        takesFocus={false}
        allocation={null}
        prepaidUsd={9.999986}
        hasNoAllocation={hasNoAllocation}
        onMint={() => undefined}
      />
    </ReadsProvider>,
  );
}

function prepaidFieldOf(spends: string, hasNoAllocation: boolean): string | undefined {
  return /<input[^>]*-prepaid"[^>]*>/.exec(markupOf(spends, hasNoAllocation))?.[0];
}

it('says what the wallet will sign, and that it moves no money', () => {
  expect(markupOf('', false)).toContain('one-time token of this gateway');
});

it('an emptied limit of prepaid money stays empty, and is not the whole balance', () => {
  expect(prepaidFieldOf('prepaid', false)).toContain('value=""');
  expect(prepaidFieldOf('prepaid', true)).toContain('value=""');
});

it('without an allocation, a new key is proposed the prepaid balance until the user chooses', () => {
  expect(prepaidFieldOf('', true)).toContain('value="9.99"');
  expect(prepaidFieldOf('', false)).toBeUndefined();
  expect(prepaidFieldOf('allocation', true)).toBeUndefined();
});
