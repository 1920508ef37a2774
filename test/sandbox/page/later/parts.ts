import { DataTable } from "../blocks/data-table.tsx"
import { InputBlock } from "../blocks/input-block.tsx"
import { Table } from "../blocks/table.tsx"
import { Chart } from "../charts/chart.tsx"
import { Checkboxes, RadioButtons } from "../elements/choices.tsx"
import { Overflow } from "../elements/overflow.tsx"
import { DatePicker, TimePicker } from "../elements/pickers.tsx"
import { Select } from "../elements/select.tsx"
import { TextInput } from "../elements/text-input.tsx"
import { AppView } from "../home/app-view.tsx"
import { Inspector } from "../inspector/inspector.tsx"
import { ConfirmDialog } from "../modal/confirm-dialog.tsx"
import { Modal } from "../modal/modal.tsx"
import { ServicePanel } from "../service/service-panel.tsx"
import { Caption } from "../story/caption.tsx"

/**
 * What is not needed to read a channel and to write in it. It makes a script of its own, which is
 * fetched once the first view is on the screen and before anybody can ask for it.
 */
export const parts = {
  AppView,
  Caption,
  Chart,
  Checkboxes,
  ConfirmDialog,
  DataTable,
  DatePicker,
  InputBlock,
  Inspector,
  Modal,
  Overflow,
  RadioButtons,
  Select,
  ServicePanel,
  Table,
  TextInput,
  TimePicker,
} as const

export type Parts = typeof parts
