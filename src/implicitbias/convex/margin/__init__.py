"""Problem (10) of Stewart et al. (2022): classifiers of largest margin for the group norm."""
