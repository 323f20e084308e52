'use client';

import type { ComponentProps } from 'react';
import type { DialogPanelProps } from './dialog-panel';
import { onDemand } from './on-demand';
import { useOverlay } from './overlay-state';
import { OverlayTrigger } from './overlay-trigger';

export { Overlay as Dialog } from './overlay-state';
export { OverlayClose as DialogClose } from './overlay-trigger';

const DialogPanel = onDemand(() => import('./dialog-panel').then((module) => module.DialogPanel), { floats: true });

type DialogTriggerProps = Omit<ComponentProps<typeof OverlayTrigger>, 'preload'> & {
  /** What else the content needs, loaded along with the panel. */
  preload?: () => void;
};

/** The control that opens a dialog. */
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

/** A modal panel: centred on wide screens, near the top on phones, closed with Escape. Its code loads with the first one. */
export function DialogContent(props: Omit<DialogPanelProps, 'overlay'>) {
  const overlay = useOverlay();
  return overlay.open ? <DialogPanel {...props} overlay={overlay} /> : null;
}
