'use client';

import { CodeView } from '@/components/samples/code-view';
import { Select } from '@/components/ui/select';
import { httpSamplesOf, type PageRequest } from '@/lib/browser/samples/http-request';
import type { CallCredential } from '@/lib/client';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';

/** The requests that a page makes, folded away until asked for, in code that can be pasted. */
export function RequestCode({ requests, credential }: { requests: readonly PageRequest[]; credential: CallCredential | null }) {
  const [isOpen, setIsOpen] = useState(false);
  const [name, setName] = useState('');
  const request = requests.find((each) => each.name === name) ?? requests[0];
  if (request === undefined) return null;
  const { verb, path, body, saveAs, isPublic = false } = request;
  return (
    <details className="group overflow-hidden rounded-md border border-line" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="flex min-h-10 items-center gap-2 px-3 text-sm font-medium hover:bg-hover">
        <ChevronRight aria-hidden className="size-4 shrink-0 text-dim transition-transform group-open:rotate-90" />
        The requests of this page, in code
      </summary>
      {isOpen && (
        <div className="flex flex-col border-t border-line">
          {requests.length > 1 && (
            <div className="border-b border-line px-3 py-2 lg:px-4">
              <Select aria-label="Request" value={request.name} onChange={(event) => setName(event.target.value)} className="sm:max-w-96">
                {requests.map((each) => (
                  <option key={each.name}>{each.name}</option>
                ))}
              </Select>
            </div>
          )}
          <CodeView
            credential={credential}
            isPublic={isPublic}
            samplesWith={(presented) => httpSamplesOf({ verb, url: window.location.origin + path, credential: isPublic ? null : presented, ...(body === undefined ? {} : { body }), ...(saveAs === undefined ? {} : { saveAs }) })}
          />
        </div>
      )}
    </details>
  );
}
