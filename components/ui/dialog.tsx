'use client';

import type { ComponentProps } from 'react';
import type { DialogPanelProps } from './dialog-panel';
import { onDemand } from './on-demand';
import { OverlayTrigger, useOverlay } from './overlay';

export { Overlay as Dialog } from './overlay';
export { OverlayClose as DialogClose } from './overlay';

const DialogPanel = onDemand(() => import('./dialog-panel').then((module) => module.DialogPanel), { floats: true });

type DialogTriggerProps = Omit<ComponentProps<typeof OverlayTrigger>, 'preload'> & {
  /** Loads the content's code together with the panel's code. */
  preload?: () => void;
};

export function DialogTrigger({ preload, ...props }: DialogTriggerProps) {
  return (
    <OverlayTrigger
      {...props}
      preload={() => {
        DialogPanel.preload();
        preload?.();
      }}
    />
  );
}

/** Modal panel: centered on wide screens, near the top on phones. */
export function DialogContent(props: Omit<DialogPanelProps, 'overlay'>) {
  const overlay = useOverlay();
  return overlay.open ? <DialogPanel {...props} overlay={overlay} /> : null;
}
