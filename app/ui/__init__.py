"""The desktop: tray, quick-ask, first run and pages (D8.1, D8.2, D8.5, D8.6).

A shell: it shows what the facade says, and knows nothing of how the facade finds it. The only place with Qt.
"""

from app.ui.sources_unread import leave_sources_unread

leave_sources_unread()
