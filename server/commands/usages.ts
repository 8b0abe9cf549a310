/** Of commands that are loaded only to be run. */
export const APPLY_USAGE = "apply -f FILE [--dry-run] [--prune] [--secrets] [--secrets-out FILE] [--yes]";
export const BACKUP_USAGE = "backup FOLDER";
export const RESTORE_USAGE = "restore FOLDER [--verify]";
