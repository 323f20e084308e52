import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { createReadCache } from '@/lib/browser/reads/read-cache';
import { ReadsProvider } from '@/lib/browser/reads/use-read';
import { NO_FIELDS } from './mint-fields';
import { MintForm } from './mint-form';

it('an emptied limit of prepaid money stays empty, and is not the whole balance', () => {
  const markup = renderToStaticMarkup(
    <ReadsProvider value={createReadCache()}>
      <MintForm
        draft={{ fields: { ...NO_FIELDS, spends: 'prepaid' }, edit: () => undefined }}
        isRunning={false}
        problem={null}
        takesFocus={false}
        allocation={null}
        prepaidUsd={250}
        onMint={() => undefined}
      />
    </ReadsProvider>,
  );
  expect(/<input[^>]*-prepaid"[^>]*>/.exec(markup)?.[0]).toContain('value=""');
});
