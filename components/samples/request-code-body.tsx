'use client';

import { CodeView } from '@/components/samples/code-view';
import { Select } from '@/components/ui/select';
import { httpSamplesOf, type PageRequest } from './http-request';
import type { CallCredential } from '@/lib/client';
import { samplesWords } from './words';
import { useState } from 'react';

/** Shows the content of "The requests of this page": one request in every language. */
export function RequestCodeBody({
  requests,
  credential,
}: {
  requests: readonly PageRequest[];
  credential: CallCredential | null;
}) {
  const [name, setName] = useState('');
  const request = requests.find((each) => each.name === name) ?? requests[0];
  if (request === undefined) return null;
  const { verb, path, body, saveAs, isPublic = false } = request;
  return (
    <div className="flex flex-col border-t border-line">
      {requests.length > 1 && (
        <div className="border-b border-line px-3 py-2 lg:px-4">
          <Select
            aria-label={samplesWords.request}
            value={request.name}
            onChange={setName}
            options={requests.map((each) => ({ value: each.name }))}
            className="sm:max-w-96"
          />
        </div>
      )}
      <CodeView
        credential={credential}
        isPublic={isPublic}
        samplesWith={(presented) =>
          httpSamplesOf({
            verb,
            url: window.location.origin + path,
            credential: isPublic ? null : presented,
            ...(body === undefined ? {} : { body }),
            ...(saveAs === undefined ? {} : { saveAs }),
          })
        }
      />
    </div>
  );
}
